// A destination's side of a handoff: the token comes in the address, is taken out
// of it at once, and is claimed for this browser under an id that it makes up.
(() => {
  const { service } = document.currentScript.dataset, id = () => crypto.randomUUID();
  const here = new URL(location.href), token = here.searchParams.get("continuity") ?? sessionStorage.getItem("token");
  const kept = name => {
    const value = sessionStorage.getItem(name) ?? id();
    sessionStorage.setItem(name, value);
    return value;
  };
  if (!token) return;
  if (token !== sessionStorage.getItem("token")) sessionStorage.removeItem("claim");
  sessionStorage.setItem("token", token);
  here.searchParams.delete("continuity");
  history.replaceState(null, "", here);
  const claim = kept("claim"), session = kept("session");
  const form = document.querySelector("form");
  form.elements.token.value = token;
  form.elements.claim.value = claim;
  const events = [{ id: id(), at: Date.now(), kind: "page_view", url: location.href, title: document.title }];
  const body = JSON.stringify({ token, claim, sent_at: Date.now(), session, events });
  fetch(service + "/v1/handoffs/claim", { method: "POST", body, keepalive: true, credentials: "omit" }).catch(() => {});
})();
