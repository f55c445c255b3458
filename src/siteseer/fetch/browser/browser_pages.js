// What the crawler's browser asks of a page that it shows: is it at rest, scroll, which buttons, press one, the tree.
// `watch` is put into every page before its own scripts, `call` is evaluated with one argument.
const watch = key => {
  const TIMER = 8000, TEXTS = 20;
  const state = {changed: performance.now(), asking: 0, timers: new Map(), texts: new Map(), tried: new WeakSet(), found: [],
    shadows: new WeakMap(), hosts: []};
  Object.defineProperty(window, key, {value: state});
  const observer = new MutationObserver(() => { state.changed = performance.now(); });
  const observe = root => observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  observe(document);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...given) {
    const root = attach.apply(this, given);
    state.shadows.set(this, root);
    state.hosts.push(new WeakRef(this));
    observe(root);
    return root;
  };
  // A page that will draw in a second is not at rest; one that asks for ever every second never will be.
  const later = window.setTimeout, never = window.clearTimeout;
  window.setTimeout = function (work, delay, ...rest) {
    if (typeof work !== 'function') return later.call(window, work, delay, ...rest);
    const id = later.call(window, function (...given) { state.timers.delete(id); return work.apply(this, given); }, delay, ...rest);
    const text = Function.prototype.toString.call(work).slice(0, 300), times = (state.texts.get(text) || 0) + 1;
    state.texts.set(text, times);
    if (!(delay > TIMER) && times <= TEXTS) state.timers.set(id, performance.now() + (delay || 0));
    return id;
  };
  window.clearTimeout = function (id) { state.timers.delete(id); return never.call(window, id); };
  // What was asked for counts until the page has had time to draw it.
  const begin = () => { state.asking++; state.changed = performance.now(); };
  const end = () => later.call(window, () => { state.asking--; state.changed = performance.now(); }, 50);
  if (window.fetch) {
    const fetched = window.fetch;
    window.fetch = function (...given) {
      begin();
      const answer = fetched.apply(this, given);
      answer.then(end, end);
      return answer;
    };
  }
  if (window.XMLHttpRequest) {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (...given) {
      begin();
      this.addEventListener('loadend', end, {once: true});
      try { return send.apply(this, given); } catch (error) { end(); throw error; }
    };
  }
};

const call = async ({key, what, xpath, number, most}) => {
  const state = window[key] || {changed: 0, asking: 0, timers: new Map(), tried: new WeakSet(), found: [], shadows: new WeakMap(), hosts: []};
  const root = document.scrollingElement || document.documentElement;
  const shadow = one => one.shadowRoot || state.shadows.get(one);
  const size = () => {
    let elements = document.getElementsByTagName('*').length;
    let text = (document.body || document.documentElement || {textContent: ''}).textContent.length;
    for (const held of state.hosts) {
      const host = held.deref();
      if (host && host.isConnected) {
        const inside = shadow(host);
        elements += inside.querySelectorAll('*').length;
        text += inside.textContent.length;
      }
    }
    return {elements, text};
  };

  const isShown = one => {
    if (one.disabled || one.getAttribute('aria-disabled') === 'true') return false;
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    return box.width > 0 && box.height > 0 && style.visibility !== 'hidden' && style.display !== 'none';
  };
  const hasOwnAddress = one => {
    const link = one.closest('a[href]');
    if (!link) return false;
    const href = link.getAttribute('href').trim();
    return !(href === '' || /^#(?![\/!])/.test(href) || href === '#!' || href === '#/' || /^javascript:/i.test(href));
  };
  const sends = one => {
    const button = one.closest('button, input');
    return Boolean(button && button.form && !/^(button|reset)$/.test(button.type || ''));
  };
  const label = one => (one.innerText || one.value || one.getAttribute('aria-label') || one.title || '').trim().slice(0, 200);
  const isPressed = one => one.matches('button, input, summary, a, [role=button], [onclick], [class*=more i], [class*=load i], [class*=btn i], [class*=button i]')
    || getComputedStyle(one).cursor === 'pointer';
  const everything = function* (from) {
    const walker = document.createTreeWalker(from, NodeFilter.SHOW_ELEMENT);
    for (let one = walker.nextNode(); one; one = walker.nextNode()) {
      yield one;
      if (shadow(one)) yield* everything(shadow(one));
    }
  };
  const candidates = () => {
    const found = [];
    for (const one of everything(document.documentElement)) {
      if (found.length >= 400) break;
      if (one.childElementCount > 6 || state.tried.has(one) || one.textContent.length > 400) continue;
      if (!isPressed(one) || hasOwnAddress(one) || sends(one) || !isShown(one)) continue;
      if (found.length && found[found.length - 1].contains(one)) continue;
      found.push(one);
    }
    return found;
  };
  // Observers and handlers have seen what was done when two frames have been drawn.
  const drawn = () => new Promise(done => {
    state.changed = performance.now();
    setTimeout(done, 300);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));
  });
  const press = async one => { one.scrollIntoView({block: 'center'}); one.click(); await drawn(); };

  const tree = () => {
    const flat = node => {
      if (node.nodeType !== 1) return node.cloneNode(false);
      const copy = node.cloneNode(false);
      const inside = shadow(node) ? shadow(node).childNodes
        : node.localName === 'slot' && node.assignedNodes().length ? node.assignedNodes() : node.childNodes;
      for (const child of inside) copy.appendChild(flat(child));
      return copy;
    };
    let hasShadows = false;
    for (const one of document.querySelectorAll('*')) if (shadow(one)) { hasShadows = true; break; }
    const top = hasShadows ? flat(document.documentElement) : document.documentElement.cloneNode(true);
    for (const one of top.querySelectorAll('a[href], area[href]')) {
      const href = one.getAttribute('href').trim();
      if (/^(?:[^#]*)#!?\/./.test(href)) {
        try {
          const url = new URL(href, document.baseURI);
          if (url.origin === location.origin) one.setAttribute('href', url.href);
        } catch (error) { /* no address */ }
      }
    }
    return '<!DOCTYPE html>\n' + top.outerHTML;
  };

  if (what === 'state') {
    const now = performance.now();
    let due = 0;
    for (const [id, at] of state.timers) if (at < now - 2000) state.timers.delete(id); else due++;
    return {ready: document.readyState, quiet: now - state.changed, due, asking: state.asking, ...size()};
  }
  if (what === 'scroll') {
    root.scrollTop = Math.max(0, root.scrollHeight - root.clientHeight - 300);
    root.scrollTop = root.scrollHeight;
    let inner = 0;
    for (const one of everything(document.body || document.documentElement)) {
      if (one.scrollHeight > one.clientHeight + 40 && one.clientHeight > 100 && /auto|scroll/.test(getComputedStyle(one).overflowY)) {
        one.scrollTop = one.scrollHeight;
        if (++inner >= 10) break;
      }
    }
    await drawn();
    return size();
  }
  if (what === 'top') { root.scrollTop = 0; return size(); }
  if (what === 'buttons') { state.found = candidates(); return state.found.map(label); }
  if (what === 'press') {
    const one = state.found[number];
    if (!one || !one.isConnected) return false;
    await press(one);
    return true;
  }
  if (what === 'give up') { const one = state.found[number]; if (one) state.tried.add(one); return true; }
  if (what === 'press all') {
    const result = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    let pressed = 0, met = 0;
    for (let at = 0; at < result.snapshotLength && pressed < most; at++) {
      const one = result.snapshotItem(at);
      if (one.nodeType !== 1 || !isShown(one) || state.tried.has(one)) continue;
      met++;
      if (sends(one) || hasOwnAddress(one)) continue;
      if (number) state.tried.add(one);
      await press(one);
      pressed++;
    }
    return {pressed, met, left: result.snapshotLength};
  }
  if (what === 'tree') return tree();
  throw new Error('siteseer: unknown question ' + what);
};
