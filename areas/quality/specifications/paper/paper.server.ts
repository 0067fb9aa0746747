/** A specification to take away: typeset as the national template, or as a sheet with one page for each part. */
import { fileURLToPath } from 'node:url'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { renderPaper } from '#kit/server/papers/papers.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import { sql } from 'kysely'
import { specificationSheet } from '../matrix/matrix.server.ts'
import { specificationReach } from '../spec/reach.server.ts'
import { specificationFlow } from '../spec/specification.contract.ts'
import { specificationPaperCalls } from './paper.contract.ts'
import { PAPER_WORDS, specificationChapters, type SpecificationChapter } from './sections.rules.ts'

registerTemplate('specification', fileURLToPath(new URL('./specification.typ', import.meta.url)))

const FACTS = {
  code: ['Code', 'الكود'],
  name: ['Name', 'الاسم'],
  faculty: ['Faculty', 'الكلية'],
  department: ['Department', 'القسم'],
  hours: ['Credit hours', 'الساعات المعتمدة'],
  contact: ['Lecture · tutorial · laboratory · clinical', 'محاضرة · تمارين · معمل · عيادة'],
  degree: ['Degree', 'الدرجة العلمية'],
  year: ['Academic year', 'العام الجامعي'],
  revision: ['Version', 'الإصدار'],
  state: ['State', 'الحالة'],
  approved_on: ['Approved on', 'تاريخ الاعتماد'],
  printed: ['Printed', 'تاريخ الطباعة'],
  coordinator: ['Coordinator', 'منسق المقرر أو البرنامج'],
  head: ['Head of department', 'رئيس القسم'],
  dean: ['Dean', 'عميد الكلية'],
  part: ['Part', 'البند'],
} as const satisfies Record<string, Label>

interface Head {
  id: number
  code: string
  name: string
  name_local: string
  faculty: string | null
  faculty_local: string | null
  department: string | null
  department_local: string | null
  hours: number
  contact: string | null
  degree: string | null
  degree_local: string | null
  year: string
  year_local: string
  revision: number
  status: string
  approved_on: string | null
  aims: string | null
  aims_local: string | null
}
interface PaperAsked {
  readonly type: 'pdf' | 'xlsx'
  readonly lang: 'ar' | 'en'
  readonly specification_id: number | null
}

async function headOf(ctx: Ctx, of: 'course' | 'program', id: number, one: number | null): Promise<Head> {
  const { rows } = await sql<Head>`select t.id, coalesce(c.code, p.code) as code, coalesce(c.name, p.name) as name,
      coalesce(c.name_local, p.name_local) as name_local, f.name as faculty, f.name_local as faculty_local,
      d.name as department, d.name_local as department_local, coalesce(c.credit_hours, p.min_credit_hours)::float8 as hours,
      case when c.id is not null then concat_ws(' · ', c.lecture_hours, c.tutorial_hours, c.laboratory_hours, c.clinical_hours) end as contact,
      p.degree, p.degree_local, y.name as year, y.name_local as year_local, t.revision, t.status, t.approved_on, t.aims, t.aims_local
    from specifications t join years y on y.id = t.year_id left join courses c on c.id = t.course_id left join programs p on p.id = t.program_id
      left join faculties f on f.id = coalesce(c.faculty_id, p.faculty_id) left join departments d on d.id = coalesce(c.department_id, p.department_id)
    where t.removed_at is null and ${of === 'course' ? sql`t.course_id` : sql`t.program_id`} = ${id}
      and (${one}::int is null or t.id = ${one}) and ${scopeCondition(ctx, ['export_specification', 'show_specification'], specificationReach(ctx))}
    order by t.status = 'approved' desc, y.start_date desc, t.revision desc limit 1`.execute(ctx.db)
  const [head] = rows
  if (!head) throw refuse(409, 'specification_none')
  return head
}

const bothIn = (lang: 'ar' | 'en') => (en: string | null, ar: string | null) => (lang === 'ar' ? (ar ?? en) : en)

/** The specification of a course or a program as a file. @throws {Refusal} 409 where there is none within reach */
export async function specificationFile(
  ctx: Ctx,
  of: 'course' | 'program',
  id: number,
  asked: PaperAsked,
): Promise<FileResult> {
  const { type, lang } = asked
  const head = await headOf(ctx, of, id, asked.specification_id)
  const sheet = await specificationSheet(ctx, head.id)
  const say = (word: keyof typeof FACTS) => inLanguage(FACTS[word], lang)
  const both = bothIn(lang)
  const state = specificationFlow.states.find(({ value }) => value === head.status)
  const facts = (
    [
      ['code', head.code],
      ['name', both(head.name, head.name_local)],
      ['faculty', both(head.faculty, head.faculty_local)],
      ['department', both(head.department, head.department_local)],
      ['hours', String(head.hours)],
      ['contact', head.contact],
      ['degree', both(head.degree, head.degree_local)],
      ['year', both(head.year, head.year_local)],
      ['revision', String(head.revision)],
      ['state', state ? inLanguage(state.label, lang) : head.status],
      ['approved_on', head.approved_on],
    ] as const
  ).flatMap(([word, value]) => (value ? [{ label: say(word), value }] : []))
  const chapters = specificationChapters(sheet, head, lang)
  const name = fileName(type, PAPER_WORDS[of][0], head.code)
  if (type === 'xlsx') return { name, type, content: await asSheet(chapters, facts, lang) }
  const content = await renderPaper({
    template: 'specification',
    data: {
      lang,
      title: inLanguage(PAPER_WORDS[of], lang),
      below: `${head.code} · ${both(head.name, head.name_local) ?? ''}`,
      note: `${say('printed')}: ${dayOf()}`,
      university: await universityHead(ctx),
      facts,
      chapters,
      signatures: [say('coordinator'), say('head'), say('dean')],
    },
  })
  return { name, type, content }
}

/** A page for the facts and one for each table; names of pages are short, and none stands twice. */
async function asSheet(
  chapters: readonly SpecificationChapter[],
  facts: readonly { label: string; value: string }[],
  lang: 'ar' | 'en',
): Promise<Uint8Array> {
  const direction = lang === 'ar' ? ('rtl' as const) : ('ltr' as const)
  const say = (word: keyof typeof FACTS) => inLanguage(FACTS[word], lang)
  const texts = chapters.flatMap(({ title, parts }) =>
    parts.flatMap(({ text }) => (text ? [{ label: title, value: text }] : [])),
  )
  const pages = chapters.flatMap(({ title, parts }) =>
    parts.flatMap((part) => (part.rows.length ? [{ title: part.title ?? title, part }] : [])),
  )
  return writeSheet({
    sheets: [
      {
        name: say('part'),
        direction,
        columns: [
          { header: say('part'), key: 'label', type: 'text' as const },
          { header: '', key: 'value', type: 'text' as const },
        ],
        rows: [...facts, ...texts].map(({ label, value }) => ({ label, value })),
      },
      ...pages.map(({ title, part }, n) => ({
        name: `${n + 1} ${title}`.slice(0, 31),
        direction,
        columns: part.columns.map(({ label }, i) => ({ header: label, key: String(i), type: 'text' as const })),
        rows: part.rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [String(i), cell]))),
      })),
    ],
  })
}

export const specificationPaperHandlers: readonly Handled[] = (['course', 'program'] as const).map((of) =>
  handle(specificationPaperCalls[of], (ctx, { params, query }) =>
    specificationFile(ctx, of, params.id, {
      type: params.type,
      lang: query.lang ?? 'en',
      specification_id: query.specification_id ?? null,
    }),
  ),
)
