import type { Selector } from './selectors.ts'

/** How pages of one generator are built. */
export interface Generator {
  name: string
  /** If any of these exists, the page is of this kind. */
  marks: readonly Selector[]
  /** The beginning of `<meta name="generator">`. */
  meta?: RegExp
  content: readonly Selector[]
  /** Where the title is, if not in the content. */
  title?: readonly Selector[]
  navigation: readonly Selector[]
  /** Where the files of a page are listed. */
  attachments?: readonly Selector[]
  /** Elements within the content that are not part of it. */
  drop: readonly Selector[]
}

/**
 * The known generators, in order of precedence. Any other page is read with `plain`, and with `extract` if that finds
 * no content.
 */
export const generators: readonly Generator[] = [
  {
    name: 'Docusaurus',
    marks: ['.theme-doc-markdown', '#__docusaurus', '.theme-doc-sidebar-container'],
    meta: /^Docusaurus/i,
    content: ['.theme-doc-markdown', '.theme-doc-markdown', 'article .markdown', 'main article', 'main'],
    title: ['article header h1', 'main h1'],
    navigation: ['.theme-doc-sidebar-menu', 'aside .menu__list', '.menu__list'],
    drop: ['.hash-link', '.theme-doc-breadcrumbs', '.theme-doc-toc-mobile', '.theme-doc-footer', '.buttonGroup*',
      '.tocCollapsible*', '.codeBlockLinesWithNumbering-number', '.pagination-nav'], // prettier-ignore
  },
  {
    name: 'MkDocs Material',
    marks: ['.md-content', '.md-container'],
    meta: /^mkdocs/i,
    content: ['article.md-content__inner', '.md-content', '[role=main]', '.col-md-9'],
    navigation: ['.md-nav--primary', '.md-sidebar--primary', '.bs-sidebar', '.wy-menu-vertical'],
    drop: ['.headerlink', '.md-content__button', '.md-source-file', '.md-source-date', '.md-feedback', '.md-clipboard',
      '.md-annotation__index', '.linenodiv'], // prettier-ignore
  },
  {
    name: 'Starlight',
    marks: ['.sl-markdown-content', '#starlight__sidebar'],
    meta: /^Starlight/i,
    content: ['.sl-markdown-content', 'main'],
    title: ['.content-panel h1', 'main h1'],
    navigation: ['#starlight__sidebar', '.sidebar-content', 'nav.sidebar'],
    drop: ['.sl-anchor-link', '.anchor-link', '.copy', '.sr-only', '.pagination-links', 'starlight-toc'],
  },
  {
    name: 'VitePress',
    marks: ['.vp-doc', '#VPContent', '.VPDoc'],
    meta: /^VitePress/i,
    content: ['.vp-doc', '.VPDoc main', '#VPContent main', '.theme-default-content'],
    navigation: ['#VPSidebarNav', '.VPSidebar', '.sidebar'],
    drop: ['.header-anchor', '.copy', '.lang', '.line-numbers-wrapper', '.VPDocFooter', '.visually-hidden'],
  },
  {
    name: 'Mintlify',
    marks: ['.mdx-content', '#content-area', '#navigation-items'],
    meta: /^Mintlify/i,
    content: ['.mdx-content', '#content', '#content-area'],
    title: ['#page-title', '#content-area h1', '#header h1'],
    navigation: ['#navigation-items', '#sidebar-content', '#sidebar'],
    drop: ['.copy-button', '#pagination', '#footer', '#page-context-menu', '.feedback-toolbar', '.eyebrow'],
  },
  {
    name: 'Sphinx',
    marks: ['.rst-content', '.sphinxsidebar', '.bd-article', '#furo-main-content', '.documentwrapper'],
    meta: /^(Sphinx|Docutils)/i,
    content: ['[itemprop=articleBody]', '#furo-main-content', '.bd-article', 'div.body', '.rst-content', '[role=main]'],
    navigation: ['.wy-menu-vertical', '.sidebar-tree', '.bd-docs-nav', '.bd-links', '.sphinxsidebarwrapper'],
    drop: ['.headerlink', '.viewcode-link', '.linenos', '.wy-breadcrumbs', '.rst-footer-buttons', '.toctree-wrapper',
      '.copybtn', '.backlink', '.back-to-top-link', '.prev-next-footer'], // prettier-ignore
  },
  {
    name: 'GitBook',
    marks: ['.gitbook-root', '[data-content-ref-root]', '[data-gb-page-content]', '#book-search-input'],
    meta: /^GitBook/i,
    content: ['[data-content-ref-root]', '[data-gb-page-content]', '.markdown-section', 'main'],
    title: ['main header h1', 'main h1'],
    navigation: ['[data-testid=table-of-contents]', '#table-of-contents', 'ul.summary', 'aside nav', 'aside'],
    drop: ['.page-actions', '[data-testid=page-actions]', '.hash', '.anchor-link', '.page-feedback', '.sr-only', 'header',
      'nav'], // prettier-ignore
  },
  {
    name: 'Confluence',
    marks: ['#main-content.wiki-content', '.pageSection', '#title-text'],
    // On the index page, the first part contains only the name of the space. The list of pages is after it.
    content: ['#main-content.wiki-content', '.wiki-content', '#content', '#main-content'],
    title: ['#title-text', '#title-heading'],
    navigation: [],
    attachments: ['.greybox'],
    drop: ['.page-metadata', '#breadcrumb-section', '.hidden-xs', '.expand-control-icon', '.toc-macro'],
  },
  {
    name: 'Notion',
    marks: ['article.page .page-body'],
    content: ['.page-body'],
    title: ['.page-title'],
    navigation: [],
    drop: ['.page-header-icon'],
  },
]

/** For all other pages: the content is in the HTML elements intended for it. */
export const plain: Generator = {
  name: 'plain',
  marks: [],
  content: ['main article', 'article', '[role=main]', 'main'],
  title: ['main h1', 'article h1', 'header h1', 'h1'],
  navigation: ['aside nav', 'nav.sidebar', '.sidebar', '#sidebar', '.toc', 'aside', '.docs-nav'],
  drop: ['a.anchor', '.headerlink', '.header-anchor', '.hash-link', '.anchorjs-link', '.breadcrumbs', '.breadcrumb'],
}
