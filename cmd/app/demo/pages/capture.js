// Page views and the contact form of this site, in the plainest way: what was seen
// waits in localStorage, and goes out with the form or once a session.
(() => {
  const destinations = document.currentScript.dataset.destinations.split(" ");
  const key = "orchard", id = () => crypto.randomUUID();
  const kept = () => JSON.parse(localStorage.getItem(key) || "[]");
  const session = sessionStorage.getItem(key) || id();
  sessionStorage.setItem(key, session);
  const events = [...kept(), {
    id: id(), at: Date.now(), session, kind: "page_view", url: location.href, title: document.title, referrer: document.referrer,
  }].slice(-100);
  localStorage.setItem(key, JSON.stringify(events));

  const send = async (path, extra) => {
    const carried = kept();
    const body = JSON.stringify({ sent_at: Date.now(), session, events: carried, ...extra });
    const reply = await fetch("/v1/" + path, { method: "POST", body, keepalive: true, credentials: "include" }), { status } = reply;
    const gone = new Set(carried.map(event => event.id));
    if (status === 204) localStorage.setItem(key, JSON.stringify(kept().filter(event => !gone.has(event.id))));
    if (status < 300) sessionStorage.setItem(key + "-sent", "1");
    return status === 201 ? (await reply.json()).token : undefined;
  };
  addEventListener("visibilitychange", () => {
    if (document.hidden && !sessionStorage.getItem(key + "-sent")) send("append").catch(() => {});
  });
  addEventListener("submit", ({ target }) => {
    const form = target.dataset.continuityForm;
    if (form === undefined) return;
    const { email, name, phone, ...fields } = Object.fromEntries(new FormData(target));
    send("submissions", { id: id(), form, identity: { email, name, phone }, fields }).catch(() => {});
  });
  // A link to a destination, to the letter of its host, takes a token along.
  addEventListener("click", async event => {
    const link = event.target.closest("a[href]");
    if (!link || !/^https?:$/.test(link.protocol) || !destinations.includes(link.host)) return;
    event.preventDefault();
    const to = new URL(link.href), token = await send("handoffs", { destination: link.host }).catch(() => {});
    if (token) to.searchParams.set("continuity", token);
    location.href = to;
  });
})();
