"use strict";
(() => {
  const form = document.querySelector("form");
  const state = document.getElementById("live");
  /** @type {EventSource | undefined} */
  let source;
  let busy = false;
  /** @type {boolean | undefined} */
  let waiting;
  let notBefore = 0;
  /** @type {number | undefined} */
  let due;
  /** @type {number | undefined} */
  let timer;

  /** @returns {HTMLDetailsElement[]} */
  const keyed = () => [...document.querySelectorAll("details")].filter((each) => each.dataset.key !== undefined);

  /** @param {Document} next */
  const swap = (next) => {
    const open = new Set(
      keyed()
        .filter((each) => each.open)
        .map((each) => each.dataset.key),
    );
    const focused = keyed().findLast((each) => each.contains(document.activeElement))?.dataset.key;
    for (const id of ["summary", "content"]) {
      const [old, fresh] = [document.getElementById(id), next.getElementById(id)];
      if (old && fresh) old.replaceWith(document.adoptNode(fresh));
    }
    for (const each of keyed()) {
      if (open.has(each.dataset.key)) each.open = true;
      if (each.dataset.key === focused) each.querySelector("summary").focus({ preventScroll: true });
    }
    document.title = next.title;
    const [icon, newIcon] = [document, next].map((page) => page.querySelector("link[rel=icon]"));
    if (icon && newIcon) icon.setAttribute("href", newIcon.getAttribute("href"));
  };

  const selecting = () => {
    const selection = getSelection();
    return (
      selection !== null && !selection.isCollapsed && document.getElementById("content").contains(selection.anchorNode)
    );
  };

  /** @param {boolean} byUser */
  const refresh = async (byUser) => {
    clearTimeout(due);
    if (busy) {
      waiting = byUser || waiting === true;
      return;
    }
    // A selection must not be replaced, and a page that is slow to render is requested less often.
    const wait = byUser ? 0 : selecting() ? 1000 : notBefore - Date.now();
    if (wait > 0) {
      due = setTimeout(refresh, wait, false);
      return;
    }
    busy = true;
    const started = Date.now();
    try {
      const response = await fetch(location.href);
      if (!response.ok) throw new Error(String(response.status));
      swap(new DOMParser().parseFromString(await response.text(), "text/html"));
    } catch {
      showState("exporter unreachable, retrying");
    }
    busy = false;
    notBefore = Date.now() + 20 * (Date.now() - started);
    if (waiting !== undefined) {
      const next = waiting;
      waiting = undefined;
      void refresh(next);
    }
  };

  /** @param {string} words */
  const showState = (words) => {
    state.textContent = words;
    state.className = words === "live" ? "on" : "off";
  };

  const listen = () => {
    source?.close();
    source = new EventSource("/api/v1/events");
    source.onopen = () => showState("live");
    source.onerror = () => {
      showState("not live, retrying");
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 30000);
    };
    source.onmessage = () => void refresh(false);
  };

  const search = () => {
    const query = new URLSearchParams(
      [...new FormData(form)].flatMap(([name, value]) =>
        typeof value === "string" && value !== "" ? [[name, value]] : [],
      ),
    );
    history.replaceState(null, "", query.size === 0 ? location.pathname : `?${query.toString()}`);
    void refresh(true);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 200);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) source?.close();
    else {
      listen();
      void refresh(true);
    }
  });
  if (!document.hidden) listen();
})();
