// What the wrappers' browser asks of a page: nodes by number, XPath, where a node stands, what it looks like.
// Called as a function with one argument; keeps its numbers on the window for as long as the document lives.
(call) => {
  const TEXT = 80;

  const make = () => {
    const lib = {document, count: 1, token: call.token + Math.random().toString(36).slice(2), changed: performance.now()};
    const numbers = new WeakMap([[document, 0]]), nodes = new Map();
    new MutationObserver(() => { lib.changed = performance.now(); })
      .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});

    // An attribute is remembered by its element: its own object may be collected while it is still there.
    const remember = (number, node) => {
      numbers.set(node, number);
      nodes.set(number, node.nodeType === 2 ? {owner: new WeakRef(node.ownerElement), name: node.name} : new WeakRef(node));
      lib.count = Math.max(lib.count, number + 1);
    };
    const number = node => {
      if (!numbers.has(node)) remember(lib.count, node);
      return numbers.get(node);
    };
    const node = number => {
      if (number === 0) return document;
      const kept = nodes.get(number);
      if (!kept) return null;
      const found = kept.owner ? kept.owner.deref()?.getAttributeNode(kept.name) : kept.deref();
      if (!found || !(kept.owner ? found.ownerElement : found).isConnected) { nodes.delete(number); return null; }
      return found;
    };

    const snippet = one => {
      if (one.nodeType !== 1) return (one.nodeValue || '').trim().slice(0, TEXT);
      const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      let text = '';
      for (let seen = 0; seen < 50 && text.length < TEXT && walker.nextNode(); seen++) text += walker.currentNode.nodeValue.trim();
      return text.slice(0, TEXT);
    };
    const signature = one => one.nodeType !== 1 ? ''
      : ['id', 'name', 'href', 'value'].map(name => one.getAttribute(name)).filter(text => text).join('\n').slice(0, 300);
    const place = (one, ordinals) => {
      const steps = [];
      for (let at = one; at && at !== document; at = at.parentNode) {
        if (at.nodeType === 1 && at.id && !/["\\]/.test(at.id) && document.querySelectorAll('#' + CSS.escape(at.id)).length === 1)
          return [`//*[@id="${at.id}"]`, ...steps].join('/');
        const parent = at.parentNode;
        if (!parent) return null;
        if (!ordinals.has(parent)) {
          const counts = {}, order = new Map();
          for (const child of parent.childNodes) {
            const kind = child.nodeType === 1 ? child.localName : child.nodeType === 3 ? 'text()' : 'other';
            order.set(child, [kind, counts[kind] = (counts[kind] || 0) + 1]);
          }
          ordinals.set(parent, order);
        }
        const [kind, ordinal] = ordinals.get(parent).get(at);
        steps.unshift(at.nodeType === 1 ? `*[local-name()="${kind}"][${ordinal}]` : `text()[${ordinal}]`);
      }
      return '/' + steps.join('/');
    };
    const locator = (one, ordinals) => {
      const attribute = one.nodeType === 2 ? one.name : '';
      const owner = attribute ? one.ownerElement : one;
      return [place(owner, ordinals), owner.nodeName, signature(owner), snippet(owner), attribute];
    };
    const first = xpath => document.evaluate(xpath, document, null, 9).singleNodeValue;
    const found = ([xpath, name, sign, text, attribute]) => {
      const same = one => one && one.nodeName === name && (snippet(one) === text || (sign && signature(one) === sign));
      let owner = xpath && first(xpath);
      if (!same(owner)) {
        const alike = name === '#text' || !text ? [] : [...document.getElementsByTagName(name)]
          .filter(one => snippet(one) === text && signature(one) === sign);
        owner = alike.length === 1 ? alike[0] : null;
      }
      return owner && attribute ? owner.getAttributeNode(attribute) : owner;
    };

    const value = (xpath, context, ordinals, most) => {
      const any = document.evaluate(xpath, context, null, 0);
      if (any.resultType === 1) return any.numberValue;
      if (any.resultType === 2) return any.stringValue;
      if (any.resultType === 3) return any.booleanValue;
      const all = document.evaluate(xpath, context, null, 7), answer = [];
      if (all.snapshotLength > most) throw new Error(`siteseer: a step finds more than ${most} nodes`);
      for (let at = 0; at < all.snapshotLength; at++) {
        const one = all.snapshotItem(at);
        answer.push(one === document ? [0, null] : [number(one), locator(one, ordinals)]);
      }
      return answer;
    };
    const owner = one => one.nodeType === 1 ? one : one.nodeType === 9 ? one.documentElement : one.ownerElement || one.parentElement;
    const visible = one => {
      const box = owner(one);
      return box && box.checkVisibility({visibilityProperty: true}) && [...box.getClientRects()].some(side => side.width && side.height);
    };
    const hash = text => {
      let a = 0xdeadbeef, b = 0x41c6ce57;
      for (let at = 0; at < text.length; at++) {
        a = Math.imul(a ^ text.charCodeAt(at), 2654435761);
        b = Math.imul(b ^ text.charCodeAt(at), 1597334677);
      }
      return (a >>> 0).toString(36) + (b >>> 0).toString(36) + text.length;
    };
    const tell = {
      style: (one, name) => { const box = owner(one); return box ? getComputedStyle(box).getPropertyValue(name) : ''; },
      visible: one => visible(one) ? 'yes' : '',
      property: (one, name) => { const text = one[name]; return text === undefined || text === null ? '' : String(text); },
      text: one => one.nodeType === 9 ? document.body?.innerText || '' : one.innerText ?? one.nodeValue ?? '',
      innerhtml: one => owner(one) === one || one === document ? owner(one).innerHTML : one.nodeValue,
      outerhtml: one => owner(one) === one || one === document ? owner(one).outerHTML : one.nodeValue,
      content: () => document.documentElement.outerHTML,
    };

    lib.evaluate = call => {
      const ordinals = new Map();
      return call.nodes.map(one => { const at = node(one); return at ? {value: value(call.xpath, at, ordinals, call.most)} : null; });
    };
    lib.tell = call => call.nodes.map(one => { const at = node(one); return at ? {value: tell[call.about](at, call.name)} : null; });
    lib.state = call => ({
      token: lib.token, url: location.href, quiet: performance.now() - lib.changed, count: lib.count, ready: document.readyState,
      mark: call.marked ? hash(location.href.split('#')[0] + '\n' + (document.body ? document.body.innerText : '')) : '',
    });
    lib.adopt = call => {
      lib.count = Math.max(lib.count, call.count);
      return call.places.map(([one, where]) => {
        const at = found(where);
        if (at) remember(one, at);
        return Boolean(at);
      });
    };
    lib.again = call => { const at = found(call.place); return at ? [number(at), locator(at, new Map())] : null; };
    lib.node = call => node(call.number);
    lib.number = number;
    lib.target = call => {
      const link = node(call.number)?.closest?.('a[href], area[href]');
      if (!link || link.onclick || link.hasAttribute('onclick') || link.hasAttribute('download')) return null;
      if (!/^https?:$/.test(link.protocol) || link.href.split('#')[0] === location.href.split('#')[0]) return null;
      return ['', '_self', '_top', '_blank', null].includes(link.getAttribute('target')) ? link.href : null;
    };
    // Where a click on a node leads, as far as the page itself says so.
    lib.leads = call => {
      const at = node(call.number), link = at?.closest?.('a[href], area[href]'), button = at?.closest?.('button, input');
      const sends = button?.form && ['submit', 'image'].includes(button.type);
      return link ? link.href : sends ? button.formAction || button.form.action : null;
    };
    lib.wheel = call => {
      const at = node(call.number), box = at && owner(at);
      const inner = box && box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY);
      (inner ? box : document.scrollingElement || document.documentElement).scrollBy(0, 1e7);
      (inner ? box : document).dispatchEvent(new Event('scroll', {bubbles: true}));
      (box || document).dispatchEvent(new WheelEvent('wheel', {deltaY: 1000, bubbles: true}));
    };
    return lib;
  };

  let lib = window[call.key];
  if (!lib || lib.document !== document) {
    lib = make();
    Object.defineProperty(window, call.key, {value: lib, configurable: true, enumerable: false});
  }
  if (call.expected && call.expected !== lib.token) return {moved: true};
  return {answer: lib[call.what](call)};
}
