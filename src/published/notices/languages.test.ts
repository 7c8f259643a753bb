// People who may not see a site get notices in their own language: the language of the site would reveal something
// about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aSite, expect } from '../../../test/visitor.ts'

const app = await startApp()

const german = { 'accept-language': 'xx, de-AT;q=0.8, fr;q=0.5, en;q=0.3' }
const hebrew = { 'accept-language': 'he' }

test('notices are in the preferred language of the browser that has translations, else in English', async () => {
  const browser = (await aSite(app)).browser()
  const told = async (language?: string) =>
    (
      await browser.get('/sites/none/none/', {
        headers: { ...(language !== undefined && { 'accept-language': language }) },
      })
    ).text
  for (const language of [undefined, '*', 'xx', 'en-US,de', 'de;q=0.2, en', 'de;q=0', ',;q', 'constructor'])
    assert.match(await told(language), /<html lang="en" dir="ltr">[^]*<h1>Page not found/, language)
  for (const [language, lang, title] of [
    ['xx, de-AT;q=0.8, en;q=0.3', 'de', 'Seite nicht gefunden'],
    ['zh-TW', 'zh-tw', '找不到頁面'],
    ['ar', 'ar', 'الصفحة غير موجودة'],
  ] as const) {
    const text = await told(language)
    assert.match(text, new RegExp(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">[^]*<h1>${title}</h1>`))
  }
})

test('the password form and its error are in the preferred language of the browser', async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  const password = 'correct horse'
  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Friends', password }), 201)
  const { pathname } = new URL(link.urls.published)
  const browser = site.browser()
  const asked = await browser.get(pathname, { headers: german })
  assert.match(asked.text, /<html lang="de"[^]*Dieser Link fragt nach einem Passwort[^]*>Passwort<\/label>[^]*>Öffnen</)
  const [, action] = /action="([^"]+)"/.exec(asked.text)!
  const wrong = await browser.post(
    new URL(action!, 'http://lectern.test').pathname,
    { password: 'wrong' },
    { headers: german },
  )
  assert.match(wrong.text, /role="alert">Falsches Passwort\./)
})

test('the sign-out notice is in the preferred language of the browser', async () => {
  const site = await aSite(app)
  const { text } = await site.browser().get(`${site.address}~/auth/logout`, { headers: hebrew })
  assert.match(text, /<html lang="he" dir="rtl">[^]*<h1>יצאתם מהחשבון<\/h1>/)
})
