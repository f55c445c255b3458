// What a document looks like now, as a flat list: elements with their numbers, attributes and what a person entered, texts,
// ends of elements; and its style sheets. Called as a function, after `browser.js` has numbered the document.
(call) => {
  const number = window[call.key].number;
  const SHOWN_AS_BOX = new Set(['iframe', 'frame', 'canvas', 'video', 'object', 'embed', 'audio']);
  const EMPTY = new Set([...SHOWN_AS_BOX, 'script', 'style', 'noscript', 'template']);
  let letters = call.letters;
  const cut = text => {
    const kept = String(text).slice(0, Math.min(call.longest, Math.max(0, letters)));
    letters -= kept.length;
    return kept;
  };

  const more = (one, name) => {
    const found = {};
    if (name === 'input' && one.type !== 'password' && one.type !== 'file') found.value = cut(one.value);
    if (name === 'textarea') found.value = cut(one.value);
    if (name === 'input' && one.checked) found.checked = true;
    if (name === 'option' && one.selected) found.selected = true;
    if (name === 'img' && one.currentSrc) found.source = cut(one.currentSrc);
    if (SHOWN_AS_BOX.has(name)) {
      const box = one.getBoundingClientRect();
      found.box = [Math.round(box.width), Math.round(box.height)];
    }
    return found;
  };
  const attributes = one => {
    const found = [];
    for (const {name, value} of [...one.attributes].slice(0, 60)) found.push(name.slice(0, 200), cut(value));
    return found;
  };

  const nodes = [];
  let count = 0, truncated = false;
  const enter = one => {
    const name = one.localName;
    nodes.push([number(one), name, one.namespaceURI === 'http://www.w3.org/1999/xhtml' ? '' : one.namespaceURI || '-', attributes(one), more(one, name)]);
    count++;
  };
  const walk = root => {
    enter(root);
    let depth = 1, at = root.firstChild, above = root;
    while (above) {
      if (!at) {
        nodes.push(0);
        at = above === root ? null : above.nextSibling;
        above = above === root ? null : above.parentNode;
        depth--;
        continue;
      }
      if (count >= call.elements || letters <= 0) { truncated = true; at = null; continue; }
      if (at.nodeType === 3) nodes.push(cut(at.nodeValue));
      if (at.nodeType !== 1) { at = at.nextSibling; continue; }
      enter(at);
      const inside = !EMPTY.has(at.localName) && depth < call.depth ? at.firstChild : null;
      above = at;
      at = inside;
      depth++;
    }
  };

  const sheets = [];
  let room = call.style;
  const text = (sheet, deep) => {
    const parts = [];
    for (const rule of sheet.cssRules) {
      if (room <= 0) break;
      if (rule.type === 3) {
        if (rule.styleSheet && deep < 3) add(rule.styleSheet, deep + 1);
        continue;
      }
      room -= rule.cssText.length;
      if (room > 0) parts.push(rule.cssText);
    }
    return parts.join('\n');
  };
  const add = (sheet, deep) => {
    if (sheet.disabled || sheets.length >= 300) return;
    const base = sheet.href || document.baseURI, media = sheet.media?.mediaText || '';
    let css = null;
    try { css = text(sheet, deep); } catch (error) { /* of another origin: only its address is known */ }
    sheets.push({base: base.slice(0, 2000), media: media.slice(0, 300), css});
  };

  if (document.documentElement) walk(document.documentElement);
  for (const sheet of [...document.styleSheets, ...(document.adoptedStyleSheets || [])]) add(sheet, 0);
  return {
    url: location.href.slice(0, 8000), title: document.title.slice(0, 300), base: document.baseURI.slice(0, 8000),
    quirks: document.compatMode === 'BackCompat', nodes, sheets, truncated,
  };
}
