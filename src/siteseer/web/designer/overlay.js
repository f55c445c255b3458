// The only script in the frame of a snapshot: tells our own page over what the pointer is and what was clicked, by number,
// and shows what it is told to highlight. Nothing that it is told is markup.
(() => {
  const HOME = '%HOME%', EDITION = %EDITION%, KEY = 'data-siteseer', AS = 'data-siteseer-as', OVER = 'data-siteseer-over';
  const tell = (what, node) => parent.postMessage({siteseer: 'designer', edition: EDITION, what, node}, HOME);
  const around = target => target instanceof Element ? target.closest('[' + KEY + ']:not(body)') : null;
  const number = one => Number(one.getAttribute(KEY));
  const element = one => document.querySelector('[' + KEY + '="' + Number(one) + '"]');
  let over = null;

  const point = one => {
    if (one === over) return;
    over?.removeAttribute(OVER);
    over = one;
    over?.setAttribute(OVER, '');
    if (over) tell('hover', number(over));
  };
  const show = groups => {
    for (const one of document.querySelectorAll('[' + AS + ']')) one.removeAttribute(AS);
    for (const {as, nodes} of groups) for (const node of nodes) element(node)?.setAttribute(AS, as);
  };
  const walk = {
    ArrowDown: one => { const all = [...document.querySelectorAll('body [' + KEY + ']')]; return all[all.indexOf(one) + 1]; },
    ArrowUp: one => { const all = [...document.querySelectorAll('body [' + KEY + ']')]; return all[Math.max(0, all.indexOf(one) - 1)]; },
    ArrowLeft: one => around(one?.parentElement),
    ArrowRight: one => one?.querySelector('[' + KEY + ']'),
  };

  const still = event => { event.preventDefault(); event.stopPropagation(); };
  for (const name of ['mousedown', 'mouseup', 'pointerdown', 'dblclick', 'auxclick', 'submit', 'dragstart', 'change', 'input'])
    addEventListener(name, still, true);
  addEventListener('mousemove', event => point(around(event.target)), true);
  document.addEventListener('mouseleave', () => point(null));
  addEventListener('click', event => {
    still(event);
    const one = around(event.target);
    if (one) tell('click', number(one));
  }, true);
  addEventListener('keydown', event => {
    if (event.key === 'Enter' && over) { still(event); tell('click', number(over)); return; }
    const next = walk[event.key]?.(over);
    if (!walk[event.key]) return;
    still(event);
    if (next) { point(next); next.scrollIntoView({block: 'nearest'}); }
  }, true);
  addEventListener('message', event => {
    if (event.source !== parent || event.data?.siteseer !== 'show') return;
    show(event.data.groups);
    if (event.data.reach) element(event.data.reach)?.scrollIntoView({block: 'center'});
  });
  addEventListener('DOMContentLoaded', () => tell('ready', 0));
})();
