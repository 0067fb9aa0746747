/** What stands first at `/apply`: what can be applied for, and the question for an address, to be read and typed into at once. */
import { nameIn } from '#kit/server/base/fields.ts'
import { instantIn } from '#kit/server/base/instant.ts'
import { markup, type Drawing, type First } from '#kit/server/http/first.ts'
import { say } from '#kit/server/mail/notice-texts.ts'
import { APPLICANT_TYPES } from '#areas/admission/admissions/words.contract.ts'
import { openAdmissions } from './read.server.ts'
import type { OpenAdmission } from './apply.contract.ts'

function card(one: OpenAdmission, { t, lang }: Drawing) {
  const name = lang === 'ar' ? 'ar' : 'en'
  const open = one.state === 'open'
  const type = APPLICANT_TYPES.find(({ value }) => value === one.type)
  const at = (instant: string) => instantIn(instant, lang)
  const inside = markup`<h2>${nameIn(one, name)}</h2><p class="dim">${type && say(type.label, lang, 'admissions')} · ${one.term && nameIn(one.term, name)} · ${t('applicants', 'programs_count', { n: one.programs })}</p><p>${
    open
      ? t('applicants', 'open_until', { at: at(one.closes_at) })
      : t('applicants', 'opens_at', { at: at(one.opens_at) })
  }</p>`
  if (!open) return markup`<details data-soon><summary>${inside}</summary></details>`
  return markup`<details name="admission" data-key="${one.id}"><summary>${inside}<b>${t('applicants', 'begin')}</b></summary><div class="fields"><p class="dim">${t('applicants', 'address_text')}</p><label>${t('kit', 'email')}<input type="email" name="email" dir="ltr" autocomplete="email"></label><button type="button" disabled>${t('kit-address', 'send_code')}</button></div></details>`
}

export const applyFirst: First = {
  screen: '/apply/:type?',
  async draw(drawing) {
    const { ctx, params, t } = drawing
    const all = await openAdmissions(ctx.db)
    const shown = params.type ? all.filter((one) => String(one.type) === params.type) : all
    return markup`<h1>${t('applicants', 'apply')}</h1><p class="dim">${t('applicants', 'apply_text')}</p>${
      shown.length ? shown.map((one) => card(one, drawing)) : markup`<p>${t('applicants', 'nothing_open')}</p>`
    }`
  },
}
