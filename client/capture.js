// The capture client by hand. client/capture says the same in Go; one file of
// vectors holds the two to equal request bodies. What is stored:
//
//   localStorage    continuity                 "s" a submission was accepted, "r" a reset waits for its answer
//                   continuity.<number><id>    one event as JSON, with "-" before it once a 204 has covered it
//                   continuity-lease           until when a request in flight keeps the others back
//   sessionStorage  continuity                 the session's id; behind it "1", the flag, once its beacon was answered with a
//                                              2xx, "0" after another answer, or until when one handed over may still be
//                                              answered: a page that has gone hears none, a later one sends anew after it
(() => {
  const doc = document, name = "continuity";
  const { src, dataset: data } = doc.currentScript;
  const api = window[name] ||= {};

  // A storage area: without a value it reads, with an empty one it removes, and
  // without a key it is all of it. What it refuses is kept in memory, and nobody
  // hears of it.
  const shelf = (area, memory = {}) => (key, value) => {
    try {
      if (value != null) delete memory[key];
      const real = window[area];
      if (!key) return { ...real, ...memory };
      if (value == null) return memory[key] || real[key] || "";
      if (value) return real[key] = value;
      delete real[key];
    } catch {
      if (value) memory[key] = value;
    }
    return key ? memory[key] || "" : memory;
  };
  const local = shelf("localStorage"), tab = shelf("sessionStorage");
  const mirror = () => Object.entries(local()).filter(event => /^continuity\./.test(event)).sort();

  // 16 bytes in base64url, but for "-", which "_" stands for too.
  const newID = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))).slice(0, 22).replace(/\W/g, "_");

  // Text: no e-mail address, no half emoji, so many bytes at most.
  const size = text => new TextEncoder().encode(text).length;
  const cut = (text, limit = 512) => text.toWellFormed().slice(0, new TextEncoder().encodeInto(text, new Uint8Array(limit)).read);
  const text = value => cut(value.replace(/[^\0- "#&(),/:-?[-\]|\xa0\u3000]+/g,
    run => /.(@|%(25)*40)./s.test(run) ? "[redacted]" : run));
  // An address is http or https, without fragment and token. Of a long one the path and the campaign stay.
  const address = url => {
    url = /^http/.test(url) ? url.replace(/#.*/, "").replace(/([?&])continuity=[^&]*&?/, "$1") : "";
    return (url.length > 512 ? url.replace(/([?&])((?!utm_|\w*clid=)[^&]*(&|$))+/gi, "$1") : url).replace(/[?&]$/, "");
  };

  // The mirror as this page knows it: pairs of key and value, the first touch before the oldest.
  let index, bytes, last = 1e15;
  const push = event => {
    index.push(event);
    bytes += size(event);
    last = Math.max(last, +event[0].slice(11, 27) || 0);
    while (index[1] && (index.length > 150 || bytes > 48e3)) {
      const [old] = index.splice(1, 1);
      local(old[0], "");
      bytes -= size(old);
    }
  };
  const load = () => {
    index = [];
    bytes = 0;
    mirror().map(push);
  };
  const session = () => (tab(name) || tab(name, newID())).slice(0, 22);
  const add = (kind, props, referrer) => {
    const id = newID(), at = Date.now();
    const value = JSON.stringify({ id, at, session: session(), kind, url: address(location.href), title: doc.title, referrer, props },
      (key, value) => typeof value == "string" ? text(value) : value);
    const key = name + "." + Math.max(at * 1e3, last + 1) + id;
    if (value.length > 8e3) return;
    local(key, value);
    push([key, value]);
  };

  // One request in flight for the whole origin, a reset before all others.
  let queue = [], flying, tried, gone;
  const resetting = () => local(name) == "r";
  const lease = ms => local(name + "-lease", Date.now() + ms);
  const waits = until => (until -= Date.now()) > 0 && until < 30001;
  const send = ([path, extra, done]) => {
    const isReset = path == "reset", isAppend = path == "append";
    const url = new URL("/v1/" + path, data.endpoint || src);
    let carried = [], body = "", mine;
    if (!isReset) {
      load();
      mine = session();
      carried = index.filter(event => !isAppend || event[1][0] != "-");
      if (isAppend && !carried[0]) return tried = 0, run();
      while (size(body = JSON.stringify({ sent_at: Date.now(), session: mine, ...extra }).slice(0, -1) +
        ',"events":[' + carried.map(event => event[1].replace(/^-/, "")) + "]}") > 6e4 && carried.splice(1, 1)[0]);
    }
    const answer = (status, token) => {
      flying = local(name + "-lease", "");
      if (isReset || tab(name).startsWith(mine) && !resetting()) {
        const fine = /^2/.test(status), covers = status == 204, refused = /400|413/.test(status);
        if (isReset && fine | refused) local(name, "");
        if (isAppend) tab(name, mine + +fine);
        if (path == "submissions" && covers) local(name, "s");
        for (const [key, value] of carried)
          if ((refused || covers) && local(key) == value) local(key, refused || local(name) ? "" : value.replace(/^-?/, "-"));
        load();
        done && done(token);
      }
      isReset && resetting() || run();
    };
    flying = lease(3e4);
    if (isAppend) tab(name, mine + flying);
    fetch(url, { method: "POST", body, keepalive: true, credentials: "include" })
      .then(async reply => answer(reply.status, reply.status == 201 && (await reply.json()).token))
      .catch(() => {
        gone && navigator.sendBeacon(url, body);
        answer(0);
      });
  };
  const run = () => {
    if (resetting() || queue[0]) {
      if (flying || !gone && waits(local(name + "-lease"))) setTimeout(run, 100);
      else send(resetting() ? ["reset"] : queue.shift());
    }
  };
  const ask = (...job) => {
    queue.push(job);
    run();
  };
  const beacon = () => {
    const mark = tab(name).slice(22);
    if (mark == 1 || waits(mark) || tried) return;
    tried = 1;
    ask("append");
  };

  // Consent: one question to the site's hook before anything is read or written.
  let hook = api.allowed, allowed, asked = 0, todo = [];
  const consult = () => {
    const mine = ++asked, says = hook?.call ? hook() : hook ?? 1;
    const answer = yes => {
      const was = allowed;
      if (mine != asked) return;
      allowed = !!yes;
      if (!yes) {
        todo = [];
        if (mirror()[0] || tab(name) || local(name) == "s") forget();
        else run();
      } else if (!was) {
        load();
        setTimeout(act(beacon), 1e4);
        run();
        view(1);
        todo.map(f => f());
      }
    };
    says?.then ? says.then(answer, () => answer()) : answer(says);
  };
  const forget = () => {
    queue = [];
    tried = 0;
    mirror().map(([key]) => local(key, ""));
    tab(name, "");
    local(name, "r");
    load();
    run();
  };
  // What the page does runs under the consent that holds now, and never throws into the site.
  const act = f => (...given) => {
    try {
      doc.prerendering || consult();
      if (allowed) f(...given);
      else if (allowed == null) todo.push(() => f(...given));
    } catch {}
  };

  // Pages.
  let route;
  const view = always => {
    const next = location.href.replace(/#(?!!?\/).*/, "");
    if (!always && next == route) return;
    add("page_view", void 0, address(always ? doc.referrer : route));
    route = next;
  };
  ["pushState", "replaceState"].map(method => {
    const original = history[method];
    history[method] = (...given) => {
      original.apply(history, given);
      act(view)();
    };
  });

  // Handoffs.
  let minting, held;
  const follow = () => {
    held && (location.href = held.href), held = 0;
  };
  const mint = link => {
    if (minting != link) ask("handoffs", { destination: link.host }, token => {
      const { href } = link;
      minting = 0;
      if (token) {
        link.href = href.replace(/\?[^#]*|(?=#)|$/, query => (query ? query + "&" : "?") + name + "=" + token);
        setTimeout(() => link.href = href, 5e3);
      }
      follow();
    });
    minting = link;
  };
  const click = event => {
    const { target, button } = event;
    const pressed = event.type == "pointerdown", marked = target.closest("[data-continuity-click]"), link = target.closest("a[href]:not([download])");
    if (marked && !pressed) add("click", { name: marked.dataset.continuityClick });
    if (!link || !/^http/.test(link.protocol) || link.host == location.host || button > 1) return;
    if (!pressed) add("outbound_click", { href: address(link.href) });
    if (data.destinations?.split(/[\s,]+/).includes(link.host)) {
      if (pressed) mint(link);
      else if (!(link.search.includes(name + "=") || event.defaultPrevented || button || event.metaKey || event.ctrlKey ||
        event.shiftKey || link.target)) {
        event.preventDefault();
        held = link;
        setTimeout(follow, 800);
        mint(link);
      }
    }
  };

  api.track = act(add);
  api.reset = act(forget);
  Object.defineProperty(api, "allowed", { get: () => hook, set: value => act(() => 0)(hook = value) });

  Object.entries({
    prerenderingchange: run,
    visibilitychange: () => doc.hidden && beacon(),
    pagehide: () => {
      gone = 1;
      beacon();
      queue = queue.filter(job => job[0] != "submissions" || resetting() || send(job));
      if (flying) lease(500);
    },
    pageshow: event => {
      gone = 0;
      if (event.persisted) load(), view(1);
    },
    popstate: () => view(),
    online: run,
    pointerdown: click,
    click,
    auxclick: click,
    // Forms: the identity by the site's mark, autocomplete, type or name; the rest but for what is secret.
    submit: ({ target }) => {
        const who = [], fields = {}, form = target.dataset.continuityForm;
        if (form == null) return;
        add("form_submit", { form });
        for (const { name: key, type, autocomplete = "", dataset, value, checked, disabled } of target.elements) {
          const mark = dataset.continuity;
          if (!value || disabled || !checked && /^(ch|ra)/.test(type) ||
            /^(hid|fil|sub|but|res|ima)|passw|cc-|card|cv[cv]|one-time|ignore/i.test(type + " " + autocomplete + key + mark)) continue;
          const words = mark ? [mark] : [autocomplete.split(" ").pop(), type, key];
          const kind = words.map(word => [/^e?mail$/i, /^(full)?name$/i, /^(tel|phone)$/i, /^(given|first)name$/i, /^(family|last)name$/i]
            .findIndex(kind => kind.test(word.replace(/\W|_/g, "")))).find(kind => kind >= 0);
          if (kind >= 0) who[kind] ||= cut(value);
          else if (key && !/^(\d[ -]?){13,19}$/.test(value)) fields[key] = cut((fields[key] ? fields[key] + ", " : "") + value, 2048);
        }
        const [email, full, phone, ...parts] = who;
        if (email) ask("submissions", { id: newID(), form, identity: { email, name: full || parts.join(" "), phone }, fields });
      },
  }).map(([type, f]) => addEventListener(type, act(f), !/cl/.test(type)));
  act(run)();
})();
