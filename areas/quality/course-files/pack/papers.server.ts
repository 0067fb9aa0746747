/** Papers of an accreditation pack: its index, reports of offerings, specifications; and what course files there are. */
import { specificationFile } from '#areas/quality/specifications/paper/paper.server.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { safeFileName } from '#kit/server/files/files.ts'
import { tableFile } from '#kit/server/resource/transfer.ts'
import { sql } from 'kysely'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { courseFile, courseFileFlow } from '../files/course-file.contract.ts'
import { courseFileReach } from '../files/reach.server.ts'
import type { ReportFigures } from '../reports/report.rules.ts'

export interface PackAsked {
  readonly program_id: number
  readonly from_year_id: number
  readonly to_year_id: number
  readonly lang: PaperLanguage
}
export interface Packed {
  readonly id: number
  readonly course_id: number
  readonly code: string
  readonly offering: string
  readonly course: string
  readonly course_local: string
  readonly term: string
  readonly term_local: string
  readonly status: string
  readonly figures: ReportFigures | null
  readonly answers: readonly { readonly question: string; readonly question_local: string; readonly answer: string }[]
  readonly documents: readonly {
    readonly part: string
    readonly part_local: string
    readonly name: string
    readonly hash: string
    readonly size: number
  }[]
}
/** Others stand in the index alone: nobody has agreed to what is in them. */
export const AGREED: ReadonlySet<string> = new Set(['accepted', 'approved'])

/** Course files of the courses in the plan of a program, of terms that began within the years; as far as the reader reaches. */
export async function packedOf(ctx: Ctx, { program_id, from_year_id, to_year_id }: PackAsked): Promise<Packed[]> {
  const { rows } = await sql<Packed>`
    select t.id, c.id as course_id, c.code, o.code as offering, c.name as course, c.name_local as course_local, w.name as term, w.name_local as term_local,
      t.status, p.figures,
      coalesce((select json_agg(json_build_object('question', q.name, 'question_local', q.name_local, 'answer', a.answer) order by q.position, q.id)
        from offering_report_answers a join offering_report_questions q on q.id = a.question_id where a.report_id = p.id), '[]') as answers,
      coalesce((select json_agg(json_build_object('part', g.name, 'part_local', g.name_local, 'name', f.name, 'hash', f.hash, 'size', f.size) order by g.position, d.id)
        from course_file_documents d join course_file_parts g on g.id = d.part_id join files f on f.id = d.file_id
        where d.course_file_id = t.id and d.removed_at is null), '[]') as documents
    from course_files t join offerings o on o.id = t.offering_id join courses c on c.id = o.course_id join terms w on w.id = o.term_id
      join years y on y.id = w.year_id left join offering_reports p on p.course_file_id = t.id
    where t.removed_at is null and o.course_id in (select course_id from program_courses where program_id = ${program_id})
      and y.start_date between (select start_date from years where id = ${from_year_id}) and (select start_date from years where id = ${to_year_id})
      and ${scopeCondition(ctx, 'export_courseFile', courseFileReach(ctx))}
    order by c.code, w.start_date, o.code, t.id`.execute(ctx.db)
  return rows
}

const WORDS = {
  index: ['Index', 'الفهرس'],
  program: ['Program', 'البرنامج'],
  courses: ['Courses', 'المقررات'],
  course: ['Course', 'المقرر'],
  code: ['Code', 'الكود'],
  term: ['Term', 'الفصل الدراسي'],
  files: ['Files', 'الملفات'],
  specification: ['Specification', 'التوصيف'],
  report: ['Report', 'التقرير'],
  question: ['Question', 'السؤال'],
  answer: ['Answer', 'الإجابة'],
} as const satisfies Record<string, Label>
const FIGURES = {
  registered: ['Registered', 'المسجلون'],
  withdrawn: ['Withdrawn', 'المنسحبون'],
  marked: ['Students with a result', 'طلاب لهم نتيجة'],
  mean: ['Mean (of 100)', 'المتوسط (من 100)'],
  deviation: ['Standard deviation', 'الانحراف المعياري'],
  median: ['Median', 'الوسيط'],
  passed: ['Passed (%)', 'نسبة النجاح (%)'],
  attendance: ['Attendance (%)', 'نسبة الحضور (%)'],
  answered: ['Answered the questionnaire', 'من أجابوا عن الاستبيان'],
  rated: ['Rated (% of the best)', 'التقييم (% من الأفضل)'],
} as const satisfies Partial<Record<keyof ReportFigures, Label>>

export const wordsIn = (lang: PaperLanguage) => ({
  say: (word: keyof typeof WORDS) => inLanguage(WORDS[word], lang),
  both: (en: string, ar: string) => (lang === 'ar' ? ar : en),
})
const bytesOf = async ({ content }: FileResult): Promise<Uint8Array> =>
  content instanceof Readable ? buffer(content) : content

/** The report of an offering on paper. */
export async function offeringReportPaper(ctx: Ctx, one: Packed, lang: PaperLanguage): Promise<Uint8Array> {
  const { say, both } = wordsIn(lang)
  const figures = one.figures
  return bytesOf(
    await tableFile(
      ctx,
      {
        title: `${say('report')}: ${both(one.course, one.course_local)} · ${both(one.term, one.term_local)}`,
        name: 'Report',
        lang,
        columns: [
          { header: say('question'), type: 'text', text: (row) => both(row.question, row.question_local) },
          { header: say('answer'), type: 'text', text: (row) => row.answer },
        ],
        rows: [...one.answers],
        facts: (Object.keys(FIGURES) as (keyof typeof FIGURES)[]).map((key) => ({
          label: inLanguage(FIGURES[key], lang),
          value: String(figures?.[key] ?? '–'),
        })),
      },
      'pdf',
    ),
  )
}
export async function indexOf(ctx: Ctx, all: readonly Packed[], lang: PaperLanguage): Promise<Uint8Array> {
  const { say, both } = wordsIn(lang)
  const state = (value: string) =>
    inLanguage(courseFileFlow.states.find((one) => one.value === value)?.label ?? [value, value], lang)
  return bytesOf(
    await tableFile(
      ctx,
      {
        title: say('index'),
        name: 'Index',
        lang,
        columns: [
          { header: say('code'), type: 'text', text: (row) => `${row.code} (${row.offering})` },
          { header: say('course'), type: 'text', text: (row) => both(row.course, row.course_local) },
          { header: say('term'), type: 'text', text: (row) => both(row.term, row.term_local) },
          { header: inLanguage(courseFile.fields.status.label, lang), type: 'text', text: (row) => state(row.status) },
          {
            header: say('files'),
            type: 'number',
            text: (row) => String(AGREED.has(row.status) ? row.documents.length : 0),
          },
        ],
        rows: [...all],
      },
      'xlsx',
    ),
  )
}

/** A path that is free: files of one name stand beside each other. */
export function placing(): (folder: string, name: string) => string {
  const taken = new Map<string, number>()
  return (folder, name) => {
    const path = `${folder}/${safeFileName(name)}`
    const times = (taken.get(path.toLowerCase()) ?? 0) + 1
    taken.set(path.toLowerCase(), times)
    return times === 1 ? path : path.replace(/(\.\w+)?$/, ` (${times})$1`)
  }
}

/** The specification of one, where one is there and within reach; a pack without it is still a pack. */
export async function specified(
  ctx: Ctx,
  of: 'course' | 'program',
  id: number,
  lang: PaperLanguage,
): Promise<Uint8Array | null> {
  try {
    return await bytesOf(await specificationFile(ctx, of, id, { type: 'pdf', lang, specification_id: null }))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
