/** The list for the door of an appointment, on paper and as a sheet: who comes, and where each signs. */
import { dayOf, timeOf } from '#kit/contract/day.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { tableFile } from '#kit/server/resource/transfer.ts'
import { ENTRANCE_ATTENDANCE, ENTRANCE_KINDS } from '../words.contract.ts'
import { entranceBookingCalls as calls, type Comer } from './booking.contract.ts'
import { comersAt } from './bookings.server.ts'
import { entranceOffers } from './facts.server.ts'

/** As many as an appointment has places. */
const MOST = 5000
/** What makes the column wide enough to sign in. */
const SIGNED = ' '.repeat(30)

async function doorList(ctx: Ctx, id: number, lang: PaperLanguage, type: 'pdf' | 'xlsx'): Promise<FileResult> {
  const { data } = await comersAt(ctx, id, MOST)
  const [appointment] = await entranceOffers(ctx.db, { id })
  const say = (en: string, ar: string) => inLanguage([en, ar], lang)
  const name = (of: { name: string; name_local?: string | null }) =>
    lang === 'ar' ? (of.name_local ?? of.name) : of.name
  const shown = appointment?.shown
  const kind = inLanguage(ENTRANCE_KINDS.find((one) => one.value === shown?.kind)?.label ?? ['', ''], lang)
  const place = [shown?.hall && name(shown.hall.building), shown?.hall && name(shown.hall), shown?.place].filter(
    Boolean,
  )
  const attendance = (one: Comer) => {
    const found = ENTRANCE_ATTENDANCE.find(({ value }) => value === one.attendance)
    return found ? inLanguage(found.label, lang) : ''
  }
  const text = (header: string, of: (one: Comer) => string) => ({ header, type: 'text' as const, text: of })
  return tableFile(
    ctx,
    {
      title: `${kind} ${shown?.code ?? ''}`,
      name: `Door list.${type}`,
      lang,
      facts: [
        { label: say('Date', 'التاريخ'), value: shown ? dayOf(shown.begins_at) : '' },
        { label: say('Begins', 'يبدأ'), value: shown ? timeOf(shown.begins_at) : '' },
        { label: say('Place', 'المكان'), value: place.join(say(', ', '، ')) },
        { label: say('Applicants', 'المتقدمون'), value: String(data.length) },
      ],
      columns: [
        text(say('Number', 'رقم الطلب'), (one) => one.applicant.code ?? ''),
        text(say('Name', 'الاسم'), (one) => name(one.applicant)),
        text(say('National id ends in', 'آخر أرقام الرقم القومي'), (one) => one.national_id_end ?? ''),
        ...(type === 'pdf'
          ? [text(say('Signature', 'التوقيع'), (one) => attendance(one) || SIGNED)]
          : [text(say('Attendance', 'الحضور'), attendance)]),
      ],
      rows: data,
    },
    type,
  )
}

export const doorListHandlers: readonly Handled[] = [
  handle(calls.doorList, (ctx, { params: { id }, body: { lang } }) => doorList(ctx, id, lang, 'pdf')),
  handle(calls.doorSheet, (ctx, { params: { id }, body: { lang } }) => doorList(ctx, id, lang, 'xlsx')),
]
