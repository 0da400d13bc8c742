const root = document.documentElement;
document.getElementById("tongue").addEventListener("click", () => {
  root.dataset.ui = root.dataset.ui === "ru" ? "en" : "ru";
  root.lang = root.dataset.ui;
});
const links = new Map([...document.querySelectorAll(".turns a")].map((link) => [link.hash.slice(1), link]));
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    links.forEach((link) => link.classList.remove("here"));
    const link = links.get(entry.target.id);
    if (link) {
      link.classList.add("here");
      link.parentElement.scrollTo({ left: link.offsetLeft - link.parentElement.clientWidth / 2 });
    }
  }
}, { rootMargin: "-20% 0px -75% 0px" });
document.querySelectorAll(".chapter").forEach((chapter) => watcher.observe(chapter));
