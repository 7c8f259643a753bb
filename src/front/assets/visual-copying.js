// What is copied, cut and pasted where somebody writes without seeing Markdown.

visual.addEventListener('paste', (event) => {
  if (isInCodeField() && !isWorking) return
  const { files, types } = event.clipboardData
  const copied = event.clipboardData.getData('text/html')
  const plain = event.clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n')
  event.preventDefault()
  if (files.length > 0 && !['text/plain', 'text/html'].every((type) => types.includes(type))) {
    const brought = [...files]
    return throughText(false, () => bring(brought), true)
  }
  if (isWorking) early.push(() => pasteHere(copied, plain))
  else void pasteHere(copied, plain)
})

function pasteHere(copied, plain) {
  // A cell is one line, and code has no shape.
  if (elementAt(chosenRange().startContainer).closest('[data-cell]'))
    return command('insertText', plain.trim().replaceAll(/\s*\n\s*/g, ' '))
  if (isInCodeField()) return command('insertText', plain)
  const isOurs = copied.includes('data-markdown=')
  if (copied !== '' && copied.length <= mostPasted && (isOurs || isShaped(copied, plain)))
    return throughText(false, () => pasteShaped(copied, plain))
  if (!plain.trim().includes('\n') && !looksLikeMarkdown(plain)) return command('insertText', plain)
  return throughText(false, () => pasteText(plain))
}

async function pasteShaped(copied, plain) {
  const page = new DOMParser().parseFromString(copied, 'text/html')
  const names = namesOfBlocks(page)
  const markdown = await markdownOf(names.size > 0 ? page.body.innerHTML : copied)
  const whole = markdown?.replace(/lectern-block-\d+/g, (name) => names.get(name) ?? name)
  pasteText(whole ?? plain)
  if (markdown) bringPictures([...page.images], markdown)
}

/** Blocks that were copied here are known by their Markdown: a word stands for each until all else has become that. */
function namesOfBlocks(page) {
  const names = new Map()
  for (const block of page.querySelectorAll('[data-markdown]')) {
    const name = `lectern-block-${names.size}`
    names.set(name, block.dataset.markdown)
    block.textContent = name
  }
  return names
}

/** What is in front of each line in a list or a quote, in which what is pasted stays. A list goes on with the one it is put into. */
function leadAt(from, text) {
  const line = field.value.slice(lineStart(from), from)
  const item = listItem.exec(line)
  if (!item) return /^(?:[ \t]*>)*[ \t]*/.exec(line)[0]
  const [all, indent, , , , , box = ''] = item
  return listItem.test(text) ? indent : indent + ' '.repeat(all.length - indent.length - box.length)
}

function pasteText(text) {
  const [from, to] = cursor()
  const isRunning = !text.trim().includes('\n') && !/^(#|[-*] |\d+\. |>|\||!\[)/.test(text)
  const lead = isRunning ? '' : leadAt(from, text)
  const [above, below] = isRunning ? ['', ''] : gapsAround(from, to)
  const own = text.replace(/\n+$/, '')
  if (lead === '') return put(above + own + below, from, to)
  const led = `${above}${own}`.replaceAll('\n', `\n${lead}`).replaceAll(/[ \t]+(?=\n)/g, '')
  put(led + gapInLead(lead, field.value.slice(to)), from, to)
}

/** What follows on the same line, or on the next one, is a paragraph of its own; not so the next item, or what is no part of it. */
function gapInLead(lead, rest) {
  if (rest !== '' && !rest.startsWith('\n')) return `\n${lead.trimEnd()}\n${lead}`
  const next = rest.slice(1).split('\n', 1)[0]
  return next.startsWith(lead) && next.slice(lead.length).trim() !== '' ? `\n${lead.trimEnd()}` : ''
}

// ---------------------------------------------------------------------------------------------------------- copying
for (const name of ['copy', 'cut'])
  visual.addEventListener(name, (event) => {
    const copy = document.createElement('div')
    copy.append(chosenRange().cloneContents())
    if (isWorking) return event.preventDefault()
    if (!copy.querySelector('.frame')) return
    event.preventDefault()
    for (const tools of copy.querySelectorAll('.frame-tools')) tools.remove()
    for (const frame of copy.querySelectorAll('.frame')) if (!frame.parentElement.closest('.frame')) putSource(frame)
    event.clipboardData.setData('text/html', copy.innerHTML)
    event.clipboardData.setData('text/plain', [...copy.children].map(({ textContent }) => textContent).join('\n\n'))
    if (name === 'cut') command('delete')
  })

/** A block is copied as what it is in the text. Where somebody wrote into it since it was drawn, only what it says is known. */
function putSource(frame) {
  const { from, to, touched } = frame.dataset
  if (from === undefined || touched) return
  const block = document.createElement('p')
  block.dataset.markdown = seenOf.slice(Number(from), Number(to))
  block.textContent = frame.textContent.trim().replaceAll(/\s+/g, ' ')
  frame.replaceWith(block)
}

visual.addEventListener('input', () => {
  let frame = elementAt(chosenRange().startContainer).closest('.frame')
  for (; frame; frame = frame.parentElement.closest('.frame')) frame.dataset.touched = 'touched'
})

// What is dragged here from elsewhere is as what is pasted, where it is dropped. Files are brought as ever, and what is
// dragged from one place to another here is the browser's.
let isDragged = false
visual.addEventListener('dragstart', () => (isDragged = true))
visual.addEventListener('dragend', () => (isDragged = false))
visual.addEventListener('drop', (event) => {
  if (isDragged || hasFiles(event)) return
  event.preventDefault()
  const [copied, plain] = ['text/html', 'text/plain'].map((type) => event.dataTransfer.getData(type))
  const place = document.caretPositionFromPoint?.(event.clientX, event.clientY)
  if (isWorking || !place || !hostOf(place.offsetNode).isContentEditable) return
  hostOf(place.offsetNode).focus()
  getSelection().collapse(place.offsetNode, place.offset)
  void pasteHere(copied, plain.replaceAll(/\r\n?/g, '\n'))
})
