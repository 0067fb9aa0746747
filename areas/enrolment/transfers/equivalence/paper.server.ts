/** The official paper of what the courses of a student were counted as. */
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage } from '#kit/contract/index.ts'
import type { Access, Label, PaperLanguage } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { registerTemplate } from '#kit/server/documents/index.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { issuePaper, paperFile, preparePapers } from '#kit/server/papers/papers.ts'
import type { Names, PreparedPaper } from '#kit/server/papers/papers.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { equivalencesOf } from './proposal.server.ts'
import { LINE_HEADINGS, creditedOf, printedLines } from './lines.server.ts'
import { equivalencePaperCalls, equivalencePapers } from './paper.contract.ts'
import type { TransferKind } from './target.server.ts'

registerTemplate('equivalence', fileURLToPath(new URL('./equivalence.typ', import.meta.url)))

const WORDS = {
  verify: ['Verify this paper by its code', 'تحقق من هذه الوثيقة برمزها'],
  issued: ['Issued on', 'تاريخ الإصدار'],
  name: ['Name', 'الاسم'],
  code: ['Student code', 'كود الطالب'],
  program: ['Program', 'البرنامج'],
  bylaw: ['Bylaw', 'اللائحة'],
  from: ['From', 'من'],
  term: ['Term', 'الفصل الدراسي'],
  executed: ['Executed on', 'تاريخ التنفيذ'],
  courses: ['Courses credited', 'عدد المقررات المحتسبة'],
  hours: ['Hours credited', 'الساعات المحتسبة'],
  registrar: ['Registrar', 'مسجل الكلية'],
  dean: ['Dean', 'عميد الكلية'],
  stamp: ['Stamp', 'الختم'],
} as const satisfies Record<string, Label>

interface Person extends Names {
  code: string
  faculty: Names
  program: Names
  bylaw: Names
  /** Executed transfers that made the present study what it is, the earliest first. */
  transfers: { kind: TransferKind; id: number; from: Names[]; term: Names; executed_at: string }[]
}

const named = (alias: string) =>
  sql.raw(`json_build_object('name', ${alias}.name, 'name_local', coalesce(${alias}.name_local, ${alias}.name))`)

const within = (ctx: Ctx, access: Access) => scopeCondition(ctx, access, studentReach(ctx, 't'))

/** What an earlier study was credited with ended with it. */
async function personOf(ctx: Ctx, id: number): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select t.name, coalesce(t.name_local, t.name) as name_local, t.code, ${named('f')} as faculty, ${named('p')} as program, ${named('b')} as bylaw,
      coalesce((select json_agg(json_build_object('kind', x.kind, 'id', x.id, 'from', x.left_, 'term', ${named('m')}, 'executed_at', x.executed_at)
          order by x.executed_at, x.kind, x.id)
        from (
          select 'internal' as kind, i.id, i.term_id, i.executed_at, json_build_array(${named('ip')}, ${named('if')}) as left_
          from internal_transfers i join programs ip on ip.id = i.from_program_id join faculties if on if.id = i.from_faculty_id
          where i.student_id = t.id and i.status = 'executed'
          union all
          select 'external', e.id, e.term_id, e.executed_at,
            (select json_agg(json_build_object('name', n.name, 'name_local', n.name_local) order by n.place) from (
              select 0 as place, name, name_local from universities_list where id = e.university_id
              union all select 1, name, name_local from university_faculties where id = e.university_faculty_id) n)
          from external_transfers e where e.student_id = t.id and e.status = 'executed'
        ) x join terms m on m.id = x.term_id
        where x.executed_at >= coalesce((select max(s.ended_at) from former_studies s where s.student_id = t.id), '-infinity')), '[]') as transfers
    from students t join faculties f on f.id = t.faculty_id join programs p on p.id = t.program_id join bylaws b on b.id = t.bylaw_id
    where t.id = ${id} and t.removed_at is null and ${within(ctx, 'issue_paper')}`.execute(ctx.db)
  return rows[0]
}

/**
 * The equivalences of the present study of a student, of all transfers that were executed for it.
 *
 * @throws {Refusal} 404; 409 `no_equivalence`
 */
async function prepareEquivalence(ctx: Ctx, id: number, lang: PaperLanguage): Promise<PreparedPaper> {
  const person = await personOf(ctx, id)
  if (!person) throw refuse(404, 'not_found')
  const say = (word: keyof typeof WORDS): string => inLanguage(WORDS[word], lang)
  const fact = (word: keyof typeof WORDS, value: string | null | undefined) => ({
    label: say(word),
    value: value ?? '–',
  })
  const parts = await Promise.all(
    person.transfers.map(async (transfer) => ({ ...transfer, lines: await equivalencesOf(ctx.db, transfer) })),
  )
  const { courses, hours } = creditedOf(parts.flatMap(({ lines }) => lines))
  if (!courses) throw refuse(409, 'no_equivalence')
  const head = await universityHead(ctx)
  return {
    holder: { name: person.name, name_local: person.name_local },
    facts: { program: person.program, courses: String(courses), hours: String(hours) },
    compose: (proof, issued) => ({
      template: 'equivalence',
      created: issued.at,
      data: {
        lang,
        title: inLanguage(equivalencePapers.kinds.equivalence.label, lang),
        serial: proof.serial,
        university: { ...head, unit: person.faculty.name, unit_local: person.faculty.name_local },
        student: [
          fact('name', nameIn(person, lang)),
          fact('code', person.code),
          fact('program', nameIn(person.program, lang)),
          fact('bylaw', nameIn(person.bylaw, lang)),
          fact('courses', String(courses)),
          fact('hours', String(hours)),
          fact('issued', issued.on),
        ],
        columns: LINE_HEADINGS.map(([, label]) => inLanguage(label, lang)),
        transfers: parts.map((part) => ({
          facts: [
            fact('from', part.from.map((names) => nameIn(names, lang)).join(' · ')),
            fact('term', nameIn(part.term, lang)),
            fact('executed', dayOf(part.executed_at)),
          ],
          rows: printedLines(part.lines, lang).map((line) => LINE_HEADINGS.map(([name]) => line[name])),
        })),
        signatures: (['registrar', 'stamp', 'dean'] as const).map(say),
        proof: { ...proof, caption: say('verify') },
      },
    }),
  }
}

preparePapers(equivalencePapers, { equivalence: prepareEquivalence })

export const equivalencePaperHandlers: readonly Handled[] = [
  handle(equivalencePaperCalls.equivalencePaper, async (ctx, { body: { student_id: id, lang } }) =>
    paperFile(
      ctx,
      equivalencePapers,
      id,
      await issuePaper(ctx, equivalencePapers, {
        id,
        kind: 'equivalence',
        lang,
        prepared: await prepareEquivalence(ctx, id, lang),
      }),
    ),
  ),
]
