/** A logbook on paper and as a sheet: what is wanted and confirmed by course, and every entry. */
import { dayOf, timeOf } from '#kit/contract/day.ts'
import { inLanguage, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { renderListPdf } from '#kit/server/documents/index.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { logbookCalls as calls, LOGBOOK_ROLE_WORDS, logbookFlow, type Logbook } from './entry.contract.ts'
import { reachedLogbook } from './entry.server.ts'
import { countedOf, LOGBOOK_ROLES } from './entry.rules.ts'

const WORDS = {
  logbook: ['Logbook of the internship year', 'سجل مهارات سنة الامتياز'],
  progress: ['Progress', 'الإنجاز'],
  entries: ['Entries', 'القيود'],
  course: ['Course', 'المقرر'],
  type: ['Procedure or case', 'المهارة أو الحالة'],
  at: ['Day and time', 'اليوم والوقت'],
  role: ['Role', 'الدور'],
  training: ['Training', 'التدريب'],
  note: ['Note', 'ملاحظة'],
  status: ['Status', 'الحالة'],
  by: ['Confirmed by', 'أكّده'],
  intern: ['Intern', 'طبيب الامتياز'],
  year: ['Internship year', 'سنة الامتياز'],
  printed: ['Printed', 'تاريخ الطباعة'],
} as const

function tables(of: Omit<Logbook, 'pin_key'>, lang: PaperLanguage) {
  const say = (word: keyof typeof WORDS) => inLanguage(WORDS[word], lang)
  const roleOf = (role: string) =>
    inLanguage(LOGBOOK_ROLE_WORDS.find(({ value }) => value === role)?.label ?? [role, role], lang)
  const types = of.courses.flatMap(({ types: own, ...course }) => own.map((type) => ({ course, type })))
  const progress = types.map(({ course, type }) => {
    const counted = countedOf(type)
    return [
      nameIn(course, lang) ?? '',
      nameIn(type, lang) ?? '',
      ...LOGBOOK_ROLES.map((role) => `${counted[role]} / ${type.wanted[role]}`),
    ]
  })
  const entries = of.entries.map((one) => {
    const type = types.find(({ type: { id } }) => id === one.type_id)?.type
    const rotation = of.rotations.find(({ id }) => id === one.rotation_id)
    return [
      `${dayOf(one.done_at)} ${timeOf(one.done_at)}`,
      type ? (nameIn(type, lang) ?? '') : '',
      roleOf(one.role),
      rotation ? (nameIn(rotation.training, lang) ?? '') : '',
      one.note ?? '',
      inLanguage(logbookFlow.states.find(({ value }) => value === one.status)?.label ?? ['', ''], lang),
      one.by ? (nameIn(one.by, lang) ?? '') : '',
    ]
  })
  return {
    say,
    progress: { heads: [say('course'), say('type'), ...LOGBOOK_ROLES.map(roleOf)], rows: progress },
    entries: {
      heads: [say('at'), say('type'), say('role'), say('training'), say('note'), say('status'), say('by')],
      rows: entries,
    },
  }
}

async function logbookFile(ctx: Ctx, id: number, type: 'pdf' | 'xlsx', lang: PaperLanguage): Promise<FileResult> {
  const of = await reachedLogbook(ctx, id, 'export_logbook')
  const { say, progress, entries } = tables(of, lang)
  const name = `logbook-${of.intern.student.code ?? id}.${type}`
  const direction = lang === 'ar' ? ('rtl' as const) : ('ltr' as const)
  if (type === 'xlsx') {
    const page = (title: string, { heads, rows }: typeof progress) => ({
      name: title,
      direction,
      columns: heads.map((header, i) => ({ header, key: String(i), type: 'text' as const })),
      rows: rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [String(i), cell]))),
    })
    return {
      name,
      type,
      content: await writeSheet({ sheets: [page(say('progress'), progress), page(say('entries'), entries)] }),
    }
  }
  const content = await renderListPdf({
    title: say('logbook'),
    lang,
    university: await universityHead(ctx),
    facts: [
      { label: say('intern'), value: `${of.intern.student.code} · ${nameIn(of.intern.student, lang)}` },
      { label: say('year'), value: nameIn(of.intern.year, lang) ?? '' },
      ...progress.rows.map(([course = '', what = '', ...counts]) => ({
        label: `${course} · ${what}`,
        value: counts.join(' · '),
      })),
      { label: say('printed'), value: dayOf() },
    ],
    columns: entries.heads.map((label) => ({ label })),
    rows: entries.rows,
  })
  return { name, type, content }
}

export const logbookPaperHandlers: readonly Handled[] = [
  handle(calls.file, (ctx, { params: { id, type }, query: { lang } }) => logbookFile(ctx, id, type, lang ?? 'en')),
]
