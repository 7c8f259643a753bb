/** All the looks of the plain pages. It stands in the page itself, and the policy names its hash. */
export const styles = `
:root{color-scheme:light dark;--text:#1b1f27;--soft:#5b6472;--line:#e3e6eb;--back:#fff;--link:#2457d6;--mark:#f4f6f9}
@media (prefers-color-scheme:dark){:root{--text:#e8eaef;--soft:#9aa3b2;--line:#2a2f39;--back:#0f1116;--link:#8ab0ff;--mark:#171b23}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.65 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--back);padding:4px 8px}
header{border-bottom:1px solid var(--line);padding:14px 24px;display:flex;flex-wrap:wrap;gap:6px 22px;align-items:baseline}
header .name{font-weight:650;color:var(--text);text-decoration:none}
header nav{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:14px}
nav a[aria-current]{color:var(--text);font-weight:600;text-decoration:none}
.frame{display:grid;grid-template-columns:minmax(200px,260px) minmax(0,1fr);gap:40px;max-width:1120px;margin:0 auto;padding:28px 24px}
.contents{font-size:14.5px}.contents ul{list-style:none;margin:0;padding-left:14px}.contents>ul{padding:0}
.contents li{margin:4px 0}.contents .group{color:var(--soft);font-weight:600}
main{max-width:760px}main h1{line-height:1.25;margin:.2em 0 .4em}.lead{color:var(--soft);font-size:18px;margin-top:0}
main img,main video{max-width:100%;height:auto}main table{border-collapse:collapse;display:block;overflow-x:auto}
main th,main td{border:1px solid var(--line);padding:6px 10px;text-align:left}
main pre{background:var(--mark);padding:14px;overflow-x:auto;border-radius:6px}main code{font-size:.92em}
blockquote,aside{margin:1em 0;padding:.2em 1em;border-left:3px solid var(--line)}
.bar{background:var(--mark);border-bottom:1px solid var(--line);padding:8px 24px;font-size:14px}
.notice{max-width:520px;margin:16vh auto 0;padding:0 24px}
@media (max-width:760px){.frame{grid-template-columns:1fr;gap:16px}}
`.trim()
