/** A small page in the structure of each generator, and the expected result. */
export interface GeneratedPage {
  name: string
  html: string
  title: string
  markdown: string
  menu?: string
}

const hint = (style: string, text: string, title = '') =>
  `{% hint style="${style}"${title && ` title="${title}"`} %}\n${text}\n{% endhint %}`

const tabs = (...each: [string, string][]) =>
  `{% tabs %}\n${each.map(([title, text]) => `{% tab title="${title}" %}\n${text}\n{% endtab %}`).join('\n\n')}\n{% endtabs %}`

const code = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

export const pages: GeneratedPage[] = [
  {
    name: 'Docusaurus',
    title: 'Install',
    menu: 'Intro Guides (First)',
    markdown: [
      'Text with `code`.',
      '## Steps',
      hint('success', 'Do it'),
      tabs(['npm', '{% code title="run.sh" %}\n```bash\nnpm i\nnpm start\n```\n{% endcode %}'], ['yarn', 'yarn add']),
    ].join('\n\n'),
    html: `<html><head><meta name="generator" content="Docusaurus v3.5"><title>Install | Site</title></head><body><div id="__docusaurus">
      <nav class="navbar"><a href="/">Site</a></nav>
      <aside><nav class="menu"><ul class="theme-doc-sidebar-menu menu__list"><li><a href="/guide/intro">Intro</a></li>
      <li><div><a href="/guide/all">Guides</a><button aria-label="Collapse"></button></div><ul><li><a href="/guide/first">First</a></li></ul></li></ul></nav></aside>
      <main><article><nav class="theme-doc-breadcrumbs">Home</nav><div class="theme-doc-markdown markdown"><header><h1>Install</h1></header>
      <p>Text with <code>code</code>.</p><h2 class="anchor" id="steps">Steps<a href="#steps" class="hash-link" aria-label="Direct link">​</a></h2>
      <div class="theme-admonition theme-admonition-tip alert alert--success"><div class="admonitionHeading_Gvgb"><span><svg></svg></span>tip</div><div class="admonitionContent_BuS1"><p>Do it</p></div></div>
      <div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab">npm</li><li role="tab">yarn</li></ul><div class="margin-top--md">
      <div role="tabpanel"><div class="language-bash codeBlockContainer_x"><div class="codeBlockTitle_x">run.sh</div><div><pre class="prism-code language-bash"><code><span class="token-line"><span>npm i</span><br></span><span class="token-line">npm start<br></span></code></pre><div class="buttonGroup__atx"><button>Copy</button></div></div></div></div>
      <div role="tabpanel" hidden><p>yarn add</p></div></div></div></div><footer class="theme-doc-footer">Edit</footer></article></main></div></body></html>`,
  },
  {
    name: 'MkDocs Material',
    title: 'Setup',
    menu: 'Home User guide (Setup)',
    markdown: [
      hint('warning', 'Careful', 'Mind this'),
      tabs(['C', code('c', 'int a;')], ['Text', 'words']),
      '<details>\n\n<summary>Folded</summary>\n\ninner\n\n</details>',
    ].join('\n\n'),
    html: `<html><head><meta name="generator" content="mkdocs-1.6.0, mkdocs-material-9.5"></head><body><div class="md-container">
      <nav class="md-nav md-nav--primary"><label class="md-nav__title">Site</label><ul><li><a href="..">Home</a></li>
      <li><input type="checkbox"><label>User guide</label><nav class="md-nav"><label class="md-nav__title">User guide</label><ul><li><a href="./">Setup</a></li></ul></nav></li></ul></nav>
      <div class="md-content"><article class="md-content__inner md-typeset"><a class="md-content__button" href="#">edit</a><h1 id="setup">Setup<a class="headerlink" href="#setup">¶</a></h1>
      <div class="admonition warning"><p class="admonition-title">Mind this</p><p>Careful</p></div>
      <div class="tabbed-set tabbed-alternate"><input type="radio"><input type="radio"><div class="tabbed-labels"><label>C</label><label>Text</label></div>
      <div class="tabbed-content"><div class="tabbed-block"><div class="language-c highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1</pre></div></td><td class="code"><div><pre><span></span><code><span class="kt">int</span> a;
</code></pre></div></td></tr></table></div></div><div class="tabbed-block"><p>words</p></div></div></div>
      <details class="note"><summary>Folded</summary><p>inner</p></details></article></div></div></body></html>`,
  },
  {
    name: 'GitBook',
    title: 'Quickstart',
    menu: 'Quickstart Basics (Editor)',
    markdown: ['First steps.', '## Next', code('js', 'let a = 1'), hint('warning', 'Hot.', '')].join('\n\n'),
    html: `<html><head><meta name="generator" content="GitBook (1.2)"><title>Quickstart | Docs</title></head><body>
      <aside data-testid="table-of-contents"><ul><li><a href="/guide/start">Quickstart</a></li><li><div>Basics</div><ul><li><a href="/guide/editor">Editor</a></li></ul></li></ul></aside>
      <main><div class="sr-only">See <a href="/llms.txt">llms.txt</a>.</div><header><nav><ol><li><a href="/guide">Guide</a></li></ol></nav><h1>Quickstart</h1><button>Copy</button></header>
      <div class="contents" data-content-ref-root=""><div class="flex"><p>First steps.</p><h2 id="next"><div><a href="#next" class="hash">#</a></div>Next</h2>
      <pre><code class="language-js"><span class="highlight-line"><span>let a = 1</span></span></code></pre><div class="hint rounded-md bg-warning border-warning text-sm grid"><div class="py-4"><svg></svg></div><div class="p-4"><p>Hot.</p></div></div></div></div>
      <div class="mt-6"><a href="/next">Next page</a></div><div><p class="mr-auto text-sm">Last updated 3 days ago</p></div></main></body></html>`,
  },
  {
    name: 'Sphinx',
    title: 'Usage',
    menu: 'Usage Library (Queue)',
    markdown: [
      'Intro.',
      '## Creating queues {#create}',
      code('python', 'import queue'),
      hint('danger', 'Locks.', ''),
    ].join('\n\n'),
    html: `<html><head><title>Usage — Lib 1.0</title></head><body><div class="wy-menu wy-menu-vertical"><ul class="current"><li><a href="#">Usage</a></li><li><a href="lib.html">Library</a><ul><li><a href="queue.html">Queue</a></li></ul></li></ul></div>
      <div class="rst-content"><div role="navigation" class="wy-breadcrumbs">Docs</div><div role="main" class="document"><div itemprop="articleBody"><section id="usage"><h1>Usage<a class="headerlink" href="#usage">¶</a></h1><p>Intro.</p>
      <section id="create"><h2>Creating queues<a class="headerlink" href="#create">¶</a></h2><div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="kn">import</span> queue
</pre></div></div><div class="admonition danger"><p class="admonition-title">Danger</p><p>Locks.</p></div></section></section></div></div></div></body></html>`,
  },
  {
    name: 'Mintlify',
    title: 'Welcome',
    menu: 'Start (Welcome Install)',
    markdown: [hint('info', 'Know this'), tabs(['One', 'first'], ['Two', 'second'])].join('\n\n'),
    html: `<html><head><meta name="generator" content="Mintlify"></head><body><div id="navigation-items"><h5>Start</h5><ul><li><a href="/guide/start">Welcome</a></li><li><a href="/guide/install">Install</a></li></ul></div>
      <div id="content-area"><header id="header"><h1 id="page-title">Welcome</h1></header><div class="mdx-content"><div class="callout" data-callout-type="info"><div><svg></svg></div><div data-component-part="callout-content"><p>Know this</p></div></div>
      <div class="tabs"><ul role="tablist"><li role="tab" id="t1">One</li><li role="tab" id="t2">Two</li></ul><div role="tabpanel" aria-labelledby="t1">first</div><div role="tabpanel" aria-labelledby="t2">second</div></div></div></div></body></html>`,
  },
  {
    name: 'VitePress',
    title: 'What it is',
    menu: 'Introduction (What it is Deeper (More))',
    markdown: [
      hint('warning', 'Take care', 'Attention please'),
      tabs(['npm', code('sh', 'npm add')], ['pnpm', code('sh', 'pnpm add')]),
    ].join('\n\n'),
    html: `<html><head><meta name="generator" content="VitePress v1.3"></head><body><aside class="VPSidebar"><nav id="VPSidebarNav"><div><section class="VPSidebarItem level-0"><div class="item" role="button"><div class="indicator"></div><h2 class="text">Introduction</h2></div><div class="items"><div class="VPSidebarItem level-1 is-link"><div class="item"><div class="indicator"></div><a class="VPLink link link" href="/guide/start"><p class="text">What it is</p></a></div></div><section class="VPSidebarItem level-1 collapsible"><div class="item"><h3 class="text">Deeper</h3></div><div class="items"><div class="VPSidebarItem level-2 is-link"><div class="item"><a class="VPLink link link" href="/guide/more"><p class="text">More</p></a></div></div></div></section></div></section></div></nav></aside>
      <div id="VPContent"><main><div class="vp-doc"><div><h1 id="what" tabindex="-1">What it is <a class="header-anchor" href="#what" aria-label="Permalink">​</a></h1>
      <div class="warning custom-block"><p class="custom-block-title">Attention please</p><p>Take care</p></div>
      <div class="vp-code-group"><div class="tabs"><input type="radio"><label>npm</label><input type="radio"><label>pnpm</label></div><div class="blocks"><div class="language-sh vp-adaptive-theme active"><button class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line"><span>npm add</span></span></code></pre></div><div class="language-sh"><button class="copy"></button><span class="lang">sh</span><pre><code><span class="line">pnpm add</span></code></pre></div></div></div></div></div></main></div></body></html>`,
  },
  {
    name: 'Starlight',
    title: 'Getting started',
    menu: 'Guides (Getting started Next)',
    markdown: [
      hint('success', 'A tip'),
      tabs(['Stars', 'Sirius'], ['Moons', 'Io']),
      '{% code title="a.js" %}\n```js\nlet a\nlet b\n```\n{% endcode %}',
    ].join('\n\n'),
    html: `<html><head><meta name="generator" content="Astro v4"><meta name="generator" content="Starlight v0.28"></head><body><nav class="sidebar"><div id="starlight__sidebar"><ul class="top-level"><li><details open><summary><h2>Guides</h2></summary><ul><li><a href="/guide/start"><span>Getting started</span></a></li><li><a href="/guide/next">Next</a></li></ul></details></li></ul></div></nav>
      <main><div class="content-panel"><h1 id="_top">Getting started</h1></div><div class="content-panel"><div class="sl-markdown-content"><aside aria-label="Tip" class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Tip</p><div class="starlight-aside__content"><p>A tip</p></div></aside>
      <starlight-tabs><div class="tablist-wrapper not-content"><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#p1">Stars</a></li><li role="presentation"><a role="tab" href="#p2">Moons</a></li></ul></div><div id="p1" role="tabpanel"><p>Sirius</p></div><div id="p2" role="tabpanel" hidden><p>Io</p></div></starlight-tabs>
      <div class="expressive-code"><figure class="frame has-title"><figcaption class="header"><span class="title">a.js</span></figcaption><pre data-language="js"><code><div class="ec-line"><div class="code"><span>let a</span></div></div><div class="ec-line"><div class="code"><span>let b</span></div></div></code></pre><div class="copy"><button></button></div></figure></div></div></div></main></body></html>`,
  },
  {
    name: 'Confluence',
    title: 'Team page',
    markdown: [hint('warning', 'Old'), '- a'].join('\n\n'),
    html: `<html><head><title>Space : Team page</title></head><body class="theme-default"><div id="page"><div id="main"><div id="main-header"><h1 id="title-heading"><span id="title-text">Space : Team page</span></h1></div><div id="content" class="view"><div class="page-metadata">Created by</div><div id="main-content" class="wiki-content group">
      <div class="confluence-information-macro confluence-information-macro-warning"><span class="aui-icon"></span><div class="confluence-information-macro-body"><p>Old</p></div></div><ul><li>a</li></ul></div></div></div></div></body></html>`,
  },
  {
    name: 'plain',
    title: 'Plain',
    markdown: 'Words in **bold**.',
    html: `<html><head><title>Plain - Site</title></head><body><header>Top</header><article><h1>Plain</h1><p>Words in <b>bold</b>.</p></article><footer>End</footer></body></html>`,
  },
]
