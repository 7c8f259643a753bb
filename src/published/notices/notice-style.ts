/**
 * The style of notices: a card on ruled ground, in the default colours of pages. It is inlined in the notice, and the
 * policy allows it by its hash, because a person who gets a notice may have no site to load anything from.
 */
export const noticeStyle = `
:root{color-scheme:light dark;--bg:#fff;--raised:#fff;--ink:#14161f;--muted:#595f6e;--line:#e4e6eb;--field:#878d9b;--danger:#b3261e;--rule:#edeff4;--solid:#2057d4;--shade:rgb(40 48 72/.16)}
@media (prefers-color-scheme:dark){:root{--bg:#0d0f14;--raised:#171a21;--ink:#f2f4f8;--muted:#9aa1af;--line:#272b34;--field:#6b7280;--danger:#ff8f85;--rule:#1a1e26;--solid:#2c63e2;--shade:rgb(0 0 0/.6)}}
*{box-sizing:border-box}
body{margin:0;min-height:100svh;display:grid;place-items:center;padding:24px;background:var(--bg);color:var(--muted);font:15px/1.55 Inter,ui-sans-serif,system-ui,sans-serif;overflow-wrap:anywhere;-webkit-font-smoothing:antialiased}
body::before{content:"";position:fixed;inset:0 0 42%;z-index:-1;background:repeating-linear-gradient(171deg,var(--rule) 0 1px,transparent 1px 34px);-webkit-mask:linear-gradient(#000,transparent);mask:linear-gradient(#000,transparent)}
main{width:100%;max-width:400px;padding:36px 32px 32px;background:var(--raised);border-radius:17px;box-shadow:0 0 0 1px var(--line),0 24px 64px -12px var(--shade)}
.mark{display:block;width:44px;height:44px;margin-bottom:20px}
.mark rect{fill:var(--solid)}.mark path{fill:none;stroke:#fff;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}
h1{margin:0;font-size:24px;line-height:1.2;font-weight:650;letter-spacing:-.024em;color:var(--ink);text-wrap:balance}
p{margin:8px 0 0;text-wrap:pretty}
.code{margin:0 0 6px;font:600 13px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--muted)}
.btn{display:flex;align-items:center;justify-content:center;min-height:44px;margin-top:24px;padding:0 18px;border-radius:8px;background:var(--solid);color:#fff;font-weight:560;text-decoration:none}
.btn{border:0;width:100%;font-family:inherit;font-size:inherit;cursor:pointer}
label{display:block;margin:22px 0 6px;color:var(--ink);font-weight:560}
input{display:block;width:100%;min-height:44px;padding:0 12px;border:1px solid var(--field);border-radius:8px;background:var(--bg);color:var(--ink);font:inherit;font-size:16px}
input:focus-visible{outline:2px solid var(--solid);outline-offset:1px}input[aria-invalid]{border-color:var(--danger)}
.refused{color:var(--danger)}
.btn:hover{filter:brightness(.92)}.btn:focus-visible{outline:2px solid var(--solid);outline-offset:2px}
@media (max-width:40rem){main{padding:28px 22px}}
@media print{body::before{display:none}main{box-shadow:none}}
`.trim()
