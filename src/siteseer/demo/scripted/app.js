// The whole forum: what an address shows is asked of the API and drawn here; links are followed without loading pages.
(() => {
  const routes = document.body.dataset.routes, app = document.getElementById('app');
  const make = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const link = (path, text, kind) => make('a', {href: routes ? '#' + path : path, class: kind}, text);
  const ask = path => fetch('/api' + path).then(answer => answer.json());
  const here = () => routes ? location.hash.slice(1) || '/' : location.pathname;

  const when = text => {
    const date = new Date(text);
    const shown = date.toLocaleString('en-GB', {timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit'});
    return make('time', {datetime: text, class: 'post-date'}, shown);
  };
  const message = post => {
    const body = make('div', {class: 'post-body'});
    body.innerHTML = post.html;
    return make('article', {class: 'post', id: 'post-' + post.number},
      make('div', {class: 'post-head'}, link('/member/' + post.author.number, post.author.name, 'post-author'), ' ', when(post.date)), body);
  };

  const index = async () => {
    const forum = await ask('/forum');
    document.title = forum.title;
    return make('section', {}, make('h1', {}, forum.title),
      ...forum.boards.map(board => make('div', {class: 'board-row'}, link('/board/' + board.number, board.name, 'board-link'))));
  };

  const board = async number => {
    const list = make('div', {class: 'thread-list'}), end = make('div', {class: 'sentinel'});
    let shown = 0, busy = false, observer = null;
    const more = async () => {
      if (busy) return null;
      busy = true;
      const part = await ask(`/board/${number}?from=${shown}`);
      for (const row of part.threads)
        list.append(make('div', {class: 'thread-row'}, link('/thread/' + row.number, row.title, 'thread-link'),
          make('span', {class: 'count'}, ` ${row.replies} replies, ${row.views} views`)));
      shown += part.threads.length;
      busy = false;
      if (observer && (shown >= part.total || !part.threads.length)) observer.disconnect();
      else if (observer) { observer.unobserve(end); observer.observe(end); }
      return part;
    };
    const first = await more();
    document.title = first.name;
    if (shown < first.total) {
      observer = new IntersectionObserver(seen => { if (seen.some(one => one.isIntersecting)) more(); });
      setTimeout(() => observer.observe(end), 50);
    }
    return make('section', {}, make('h1', {}, first.name), list, end);
  };

  const thread = async number => {
    const posts = make('div', {class: 'posts'}), button = make('button', {type: 'button', class: 'more'}, 'Show more');
    let shown = 0;
    const more = async () => {
      const part = await ask(`/thread/${number}?from=${shown}`);
      posts.append(...part.posts.map(message));
      shown += part.posts.length;
      if (shown >= part.total) button.remove();
      return part;
    };
    button.addEventListener('click', more);
    const first = await more();
    document.title = first.title;
    const section = make('section', {}, make('p', {class: 'crumbs'}, link('/', 'Boards', ''), ' › ', link('/board/' + first.board, 'Board', '')),
      make('h1', {class: 'thread-title'}, first.title), posts);
    if (shown < first.total) section.append(button);
    return section;
  };

  const member = async number => {
    const found = await ask('/member/' + number);
    document.title = found.name;
    return make('section', {}, make('h1', {}, found.name), make('p', {}, 'Member since ' + found.joined));
  };

  const views = {board, thread, member};
  const draw = async () => {
    const [, name, number] = here().split('/');
    app.replaceChildren(make('p', {class: 'loading'}, 'Loading…'));
    const drawn = await (views[name] ? views[name](number) : index());
    app.replaceChildren(make('header', {class: 'top'}, link('/', 'Boards', ''), make('a', {href: '/login', rel: 'nofollow'}, 'Log in')), make('main', {}, drawn));
    window.scrollTo(0, 0);
  };
  document.addEventListener('click', event => {
    const clicked = event.target.closest('a');
    if (routes || !clicked || clicked.origin !== location.origin || clicked.pathname === '/login') return;
    event.preventDefault();
    history.pushState(null, '', clicked.href);
    draw();
  });
  window.addEventListener(routes ? 'hashchange' : 'popstate', draw);
  draw();
})();
