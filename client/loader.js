// Loads the WASM build: listens and queues until the program takes over, and
// falls back to capture.js where the program cannot run. Before the page is
// activated, and while the consent hook is plainly false, nothing is fetched.
//
// The throttle is looked at before the program is fetched: a session whose
// beacon was answered has only views to note, and a view has to go through the
// rules for texts, addresses and the mirror's bound, which do not fit in here.
// capture.js is those rules in 2.5 KB, equal by the vectors, so it runs there
// instead. A hook that is a function or a promise is the program's to ask, and
// nothing is read before its answer.
(() => {
  const doc = document, script = doc.currentScript, api = window.continuity ||= {};
  const early = [], types = "visibilitychange,pagehide,pageshow,popstate,online,pointerdown,click,auxclick,submit";
  let take = (...heard) => early.push(heard);
  for (const type of types.split(",")) addEventListener(type, event => take(event), !/cl/.test(type));
  for (const call of ["track", "reset"]) api[call] = (...given) => take(call, ...given);
  const at = path => new URL(path, script.src);
  api.boot = {
    src: script.src,
    dataset: script.dataset,
    take: program => {
      take = program;
      for (const heard of early) take(...heard);
    },
  };
  const fallback = () => {
    const other = doc.createElement("script");
    take = () => {};
    other.src = at("/capture.js");
    Object.assign(other.dataset, script.dataset);
    other.onload = () => {
      for (const [call, ...given] of early) api[call]?.(...given);
    };
    doc.head.append(other);
  };
  const boot = () => {
    if (doc.prerendering || api.allowed === false) return setTimeout(boot, 100);
    const go = new Go;
    try {
      if ((api.allowed ?? 1) == 1 && sessionStorage.continuity?.slice(22) == 1) return fallback();
    } catch {}
    try {
      WebAssembly.instantiateStreaming(fetch(at("/capture.wasm")), go.importObject).then(({ instance }) => go.run(instance), fallback);
    } catch {
      fallback();
    }
  };
  boot();
})();
