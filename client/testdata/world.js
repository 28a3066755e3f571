// A browser page for the vectors: real storage, elements and URL, but its own
// clock, ids, addresses and network. Each page of a vector runs the build under
// test anew; what it sent and what lies in the storage is handed back.
async function playVector(vector, build) {
  const realTimeout = setTimeout.bind(window);
  const settle = () => new Promise(done => realTimeout(done));
  const world = { now: 1764000000000, ids: 0, requests: [], open: [], timers: [], refuse: false, full: false, hook: undefined, deciders: [] };
  localStorage.clear();
  sessionStorage.clear();

  const guarded = area => new Proxy(area, {
    get: (target, key) => {
      const value = target[key];
      return typeof value == "function" ? (...given) => {
        if (key == "setItem") refuseWhenFull();
        return value.apply(target, given);
      } : value;
    },
    set: (target, key, value) => { refuseWhenFull(); target[key] = value; return true; },
  });
  const refuseWhenFull = () => { if (world.full) throw new DOMException("full", "QuotaExceededError"); };

  const open = async step => {
    const page = { listeners: {}, alive: true };
    const location = { href: step.url, get host() { return new URL(location.href).host; } };
    const doc = { title: step.title, referrer: step.referrer || "", hidden: false, visibilityState: "visible", prerendering: false,
      currentScript: { src: "https://example.org/capture.js", dataset: { destinations: "portal.example.net other.example.net" } } };
    const history = {
      pushState: (state, title, url) => location.href = url,
      replaceState: (state, title, url) => location.href = url,
    };
    const g = {
      document: doc, location, history, Object, Array, Reflect, Uint8Array, Promise, URL, JSON, btoa: btoa.bind(window), TextEncoder, TextDecoder, String, Math, Error,
      performance, console, Request, navigator: { sendBeacon: () => true }, process: undefined,
      continuity: world.hook === undefined ? {} : { allowed: world.hook },
      Date: Object.assign(function () { return new Date(world.now); }, { now: () => world.now }),
      crypto: { getRandomValues: bytes => {
        if (bytes.length != 16) return crypto.getRandomValues(bytes);
        bytes.fill(0);
        bytes[15] = world.ids % 200;
        bytes[14] = Math.floor(world.ids++ / 200);
        return bytes;
      } },
      setTimeout: (f, ms = 0) => page.alive && world.timers.push({ at: world.now + ms, f, page }),
      addEventListener: (type, f) => (page.listeners[type] ||= []).push(f),
      fetch: (url, { body, method, keepalive, credentials }) => new Promise((done, failed) => {
        if (method != "POST" || !keepalive || credentials != "include") throw new Error("wrongly sent");
        world.requests.push({ path: new URL(url).pathname, body });
        world.open.push({ done, failed, page });
      }),
    };
    for (const area of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(g, area, { enumerable: true, get: () => {
        if (world.refuse) throw new DOMException("refused", "SecurityError");
        return guarded(window[area]);
      } });
    }
    g.window = g.self = g.globalThis = g;
    page.g = g;
    page.location = location;
    page.dispatch = (type, event = {}) => (page.listeners[type] || []).forEach(f => f({ type, ...event }));
    await build(g, page);
    await settle();
    return page;
  };

  const element = step => {
    const inner = document.createElement("b");
    let outer = inner;
    if (step.mark != null) {
      const marked = document.createElement("span");
      marked.dataset.continuityClick = step.mark;
      marked.append(outer);
      outer = marked;
    }
    if (step.href) {
      const link = document.createElement("a");
      link.href = step.href;
      link.append(outer);
    }
    return inner;
  };
  const form = step => {
    const made = document.createElement("form");
    made.dataset.continuityForm = step.form;
    for (const { type, name, value, autocomplete, mark, checked, disabled } of step.controls) {
      const tag = { textarea: "textarea", select: "select" }[type] || "input";
      const control = document.createElement(tag);
      if (tag == "input") control.type = type;
      if (tag == "select") control.append(new Option(value, value));
      control.name = name;
      control.value = value;
      if (autocomplete) control.setAttribute("autocomplete", autocomplete);
      if (mark) control.dataset.continuity = mark;
      control.checked = !!checked;
      control.disabled = !!disabled;
      made.append(control);
    }
    return made;
  };
  const advance = async ms => {
    const until = world.now + ms;
    for (;;) {
      world.timers = world.timers.filter(timer => timer.page.alive);
      const next = world.timers.filter(timer => timer.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      world.timers.splice(world.timers.indexOf(next), 1);
      world.now = Math.max(world.now, next.at);
      next.f();
      await settle();
    }
    world.now = until;
  };

  let page;
  const press = { button: 0, defaultPrevented: false, preventDefault() {} };
  const steps = {
    page: async step => {
      if (page) page.alive = false;
      if (step.new_session) sessionStorage.clear();
      page = await open(step);
    },
    wait: step => advance(step.ms),
    clock: step => { world.now += step.ms; },
    answer: async step => {
      const request = world.open.shift();
      if (!request) throw new Error("nothing to answer");
      if (!request.page.alive) return;
      if (!step.status) request.failed(new TypeError("no answer"));
      else request.done({ status: step.status, json: async () => ({ token: step.token, expires_at: "2026-01-01T00:00:00.000Z" }) });
    },
    hidden: () => { page.g.document.hidden = true; page.dispatch("visibilitychange"); page.g.document.hidden = false; },
    leave: () => page.dispatch("pagehide"),
    restored: () => page.dispatch("pageshow", { persisted: true }),
    online: () => page.dispatch("online"),
    push: step => move("pushState", step),
    replace: step => move("replaceState", step),
    pop: step => { page.location.href = step.url; if (step.title != null) page.g.document.title = step.title; page.dispatch("popstate"); },
    click: step => page.dispatch("click", { ...press, target: element(step), metaKey: true }),
    mint: step => page.dispatch("pointerdown", { ...press, target: element({ href: "https://" + step.host + "/" }) }),
    track: step => {
      for (let i = 0; i < (step.repeat || 1); i++) page.g.continuity.track(step.kind + (step.repeat ? i : ""), step.props);
    },
    submit: step => page.dispatch("submit", { target: form(step) }),
    reset: () => page.g.continuity.reset(),
    hook: step => { world.hook = step.promise ? new Promise(done => world.deciders.push(done)) : step.value; },
    decide: step => world.deciders.shift()(step.value),
    allow: async step => {
      world.says = step.value;
      if (!step.silent) page.g.continuity.allowed = step.function ? () => world.says : step.value;
      if (step.value) await page.runs?.();
    },
    refuse: () => { world.refuse = true; },
    full: () => { world.full = true; },
    clear: () => { localStorage.clear(); sessionStorage.clear(); },
    put: step => localStorage.setItem(step.key, step.value),
    other: step => {
      for (let i = 0; i < step.count; i++) {
        const id = "B".repeat(20) + i + "A";
        localStorage.setItem("continuity." + (world.now * 1000 + 500 + i) + id,
          '{"id":"' + id + '","at":' + world.now + ',"session":"' + step.session + '","kind":"page_view"}');
      }
    },
  };
  const move = (method, step) => {
    if (step.title != null) page.g.document.title = step.title;
    page.g.history[method]({}, "", step.url);
  };
  for (const step of vector.steps) {
    await steps[step.op](step);
    await settle();
  }
  page.alive = false;
  return { requests: world.requests, local: { ...localStorage }, tab: { ...sessionStorage } };
}

// The two builds with the page's globals as their own: capture.js, and the
// loader with the WASM, whose js.Global() is the page. The runtime's own timers
// are real ones.
const evaluate = (code, g, names) => new Function(...names, code)(...names.map(name => g[name]));
const failures = [];
addEventListener("unhandledrejection", event => failures.push(event.reason?.stack || event.reason));
addEventListener("error", event => failures.push(event.message));
const globalsOf = g => Object.keys(g).filter(name => !name.endsWith("Storage"));
const builds = {
  js: code => g => evaluate(code, g, globalsOf(g)),
  wasm: (code, module) => async (g, page) => {
    const network = g.fetch;
    g.fetch = (url, options) => options ? network(url, options) : undefined;
    g.Go = function () { return new g.Go(); };
    g.WebAssembly = { Instance: WebAssembly.Instance, instantiateStreaming: async (_, imports) => ({ instance: await WebAssembly.instantiate(module, imports) }) };
    evaluate(code, g, globalsOf(g).filter(name => name != "setTimeout"));
    const runs = async () => {
      for (let tries = 0; !Object.getOwnPropertyDescriptor(g.continuity, "allowed")?.set; tries++) {
        if (tries > 500) throw new Error("the program did not start: " + failures);
        await new Promise(done => setTimeout(done, 4));
      }
    };
    // Where the hook says no, the loader waits before it fetches the program.
    if (g.continuity.allowed === false) page.runs = runs;
    else await runs();
  },
};
