/** Pages of the payment simulator: small, in English and Arabic, without a script. */
import { decimalOf } from '#areas/money/transactions/providers/amounts.rules.ts'
import type { SimulatedOrder, SimulatorAction } from './simulated-payment.ts'

type Lang = 'ar' | 'en'
type Words = readonly [en: string, ar: string]
const say = ([en, ar]: Words, lang: Lang): string => (lang === 'ar' ? ar : en)

const TITLE: Words = ['Payment simulator', 'محاكي الدفع']
const NOTE: Words = [
  'No money moves here. It speaks the protocols of FawryPay and Paymob Accept.',
  'لا تنتقل هنا أي أموال. يتحدث بروتوكولي FawryPay وPaymob Accept.',
]
const STATUS: Readonly<Record<SimulatedOrder['status'], Words>> = {
  new: ['To be paid', 'في انتظار الدفع'],
  paid: ['Paid', 'مدفوع'],
  failed: ['Declined', 'مرفوض'],
  expired: ['Expired', 'منتهي'],
  cancelled: ['Cancelled', 'ملغى'],
  refunded: ['Refunded', 'مسترد'],
}
const DO: Readonly<Record<SimulatorAction, Words>> = {
  pay: ['Pay', 'ادفع'],
  decline: ['Decline', 'ارفض'],
  expire: ['Let it expire', 'اجعله منتهيًا'],
  pay_silently: ['Pay and tell nobody', 'ادفع دون إخطار'],
  tell_twice: ['Tell the payment twice', 'أخطر بالدفع مرتين'],
  pay_twice: ['Pay twice', 'ادفع مرتين'],
  pay_other_amount: ['Pay another amount', 'ادفع مبلغًا آخر'],
  forge: ['Send a forged message', 'أرسل رسالة مزورة'],
  tell_refund: ['Tell of the refund', 'أخطر بالاسترداد'],
  fail_after_paid: ['Tell of a failure after the payment', 'أخطر بالفشل بعد الدفع'],
}
const W = {
  number: ['Reference number', 'الرقم المرجعي'],
  find: ['Find', 'بحث'],
  provider: ['Provider', 'مزود الدفع'],
  payer: ['Payer', 'الدافع'],
  amount: ['Amount', 'المبلغ'],
  status: ['Status', 'الحالة'],
  expires: ['To be paid until', 'يدفع حتى'],
  reference: ['Reference of the university', 'مرجع الجامعة'],
  told: ['Messages to the university', 'الرسائل إلى الجامعة'],
  nothing: ['Nothing yet. Ask for a reference number in the application.', 'لا شيء بعد. اطلب رقمًا مرجعيًا من التطبيق.'],
  missing: ['Nothing is known by', 'لا شيء معروف بالرقم'],
  back: ['All payments', 'كل المدفوعات'],
  troubles: ['Trouble', 'مواقف صعبة'],
  card: ['Pay by card', 'الدفع بالبطاقة'],
  cardNumber: ['Card number', 'رقم البطاقة'],
  month: ['Valid until', 'صالحة حتى'],
  cvv: ['Security code', 'رمز الأمان'],
  up: ['The providers answer', 'المزودان يجيبان'],
  down: ['The providers do not answer', 'المزودان لا يجيبان'],
  stop: ['Stop answering', 'أوقف الإجابة'],
  start: ['Answer again', 'أجب من جديد'],
} satisfies Record<string, Words>

const safe = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
/** Numbers and codes stand from left to right in either language. */
const ltr = (text: string): string => `<bdi dir="ltr">${safe(text)}</bdi>`
const money = (order: SimulatedOrder): string => ltr(`${decimalOf(order.amount)} ${order.currency}`)

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --go: #0b7a4b; --stop: #b3261e; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, 'Noto Sans Arabic', sans-serif; margin: 0 auto; max-width: 44rem; padding: 1rem; }
header { align-items: baseline; display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; }
h1 { font-size: 1.25rem; margin: .5rem 0; } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p.note { margin: 0 0 1rem; opacity: .75; }
table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
td, th { border-block-end: 1px solid var(--line); padding: .5rem; text-align: start; vertical-align: top; }
dl { display: grid; gap: .25rem 1rem; grid-template-columns: max-content 1fr; margin: 1rem 0; } dt { opacity: .75; } dd { margin: 0; }
form { display: inline; } .row { display: flex; flex-wrap: wrap; gap: .5rem; }
button, input { border: 1px solid var(--line); border-radius: 8px; font: inherit; min-height: 44px; padding: .5rem 1rem; }
button { background: transparent; color: inherit; cursor: pointer; } button.go { background: var(--go); border-color: var(--go); color: #fff; }
button.stop { border-color: var(--stop); color: var(--stop); } @media (prefers-color-scheme: dark) { button.stop { color: #f2b8b5; } a { color: #9ecbff; } }
label { display: block; margin: .75rem 0; } label input { display: block; width: 100%; } .big { font-size: 2rem; font-weight: 600; }
:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; }`

function page(lang: Lang, title: Words, body: string, here: string): string {
  const other = lang === 'ar' ? 'en' : 'ar'
  return `<!doctype html><html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${say(title, lang)}</title><style>${STYLE}</style></head><body>
<header><h1>${say(title, lang)}</h1><a href="${safe(here)}lang=${other}" lang="${other}">${other === 'ar' ? 'العربية' : 'English'}</a></header>
<p class="note">${say(NOTE, lang)}</p><main>${body}</main></body></html>`
}

export function listPage(orders: readonly SimulatedOrder[], lang: Lang, missing: string, down = false): string {
  const rows = orders.map(
    (
      o,
    ) => `<tr><td><a href="/orders/${o.number}?lang=${lang}">${ltr(o.number)}</a></td><td>${money(o)}</td><td>${say(STATUS[o.status], lang)}</td>
<td>${o.provider === 'fawry' ? 'FawryPay' : 'Paymob'}</td><td><bdi>${safe(o.payer || o.what)}</bdi></td></tr>`,
  )
  const heads = [W.number, W.amount, W.status, W.provider, W.payer]
    .map((w) => `<th scope="col">${say(w, lang)}</th>`)
    .join('')
  return page(
    lang,
    TITLE,
    `<form action="/orders" class="row"><input type="hidden" name="lang" value="${lang}">
<input name="number" aria-label="${say(W.number, lang)}" placeholder="${say(W.number, lang)}" inputmode="numeric" dir="ltr"><button class="go">${say(W.find, lang)}</button></form>
${missing ? `<p role="alert">${say(W.missing, lang)} ${ltr(missing.slice(0, 60))}</p>` : ''}
${rows.length ? `<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></div>` : `<p>${say(W.nothing, lang)}</p>`}
<h2>${say(down ? W.down : W.up, lang)}</h2>
<form method="post" action="/down?lang=${lang}"><button name="down" value="${!down}">${say(down ? W.start : W.stop, lang)}</button></form>`,
    '/?',
  )
}

const facts = (order: SimulatedOrder, lang: Lang): string => `<dl>
<dt>${say(W.provider, lang)}</dt><dd>${order.provider === 'fawry' ? 'FawryPay' : 'Paymob Accept'}</dd>
<dt>${say(W.amount, lang)}</dt><dd>${money(order)}</dd><dt>${say(W.payer, lang)}</dt><dd><bdi>${safe(order.payer || '–')}</bdi></dd>
<dt>${say(W.status, lang)}</dt><dd>${say(STATUS[order.status], lang)}</dd>
<dt>${say(W.expires, lang)}</dt><dd>${ltr(order.expires.slice(0, 16).replace('T', ' '))}</dd>
<dt>${say(W.reference, lang)}</dt><dd>${ltr(order.reference)}</dd></dl>`

export function orderPage(order: SimulatedOrder, lang: Lang): string {
  const button = (action: SimulatorAction, kind = '') =>
    `<button name="action" value="${action}" class="${kind}">${say(DO[action], lang)}</button>`
  const told = order.told
    .toReversed()
    .map((t) => `<tr><td>${ltr(t.at.slice(11, 19))}</td><td>${ltr(t.what)}</td><td>${ltr(t.answer)}</td></tr>`)
  return page(
    lang,
    TITLE,
    `<p class="big">${ltr(order.number)}</p>${facts(order, lang)}
<form method="post" action="/orders/${order.number}?lang=${lang}"><div class="row">${button('pay', 'go')}${button('decline', 'stop')}</div>
<h2>${say(W.troubles, lang)}</h2><div class="row">${(['expire', 'pay_silently', 'tell_twice', 'pay_twice', 'pay_other_amount', 'fail_after_paid', 'tell_refund', 'forge'] as const).map((a) => button(a)).join('')}</div></form>
<h2>${say(W.told, lang)}</h2>${told.length ? `<table><tbody>${told.join('')}</tbody></table>` : '<p>–</p>'}
<p><a href="/?lang=${lang}">${say(W.back, lang)}</a></p>`,
    `/orders/${order.number}?`,
  )
}

/** The page of the card, as the provider shows it in its own frame. */
export function cardPage(order: SimulatedOrder, lang: Lang): string {
  const field = (name: string, label: Words, value: string) =>
    `<label>${say(label, lang)}<input name="${name}" value="${value}" dir="ltr" inputmode="numeric" autocomplete="off" required></label>`
  const here = `?payment_token=${encodeURIComponent(order.keys.at(-1) ?? '')}&`
  return page(
    lang,
    W.card,
    `<p class="big">${money(order)}</p>
<form method="post" action="${safe(here)}lang=${lang}">${field('number', W.cardNumber, '5123 4567 8901 2346')}${field('until', W.month, '12/30')}${field('cvv', W.cvv, '123')}
<div class="row"><button name="action" value="pay" class="go">${say(DO.pay, lang)} ${money(order)}</button><button name="action" value="decline" class="stop">${say(DO.decline, lang)}</button></div></form>`,
    here,
  )
}
