/** The repository: deposits of granted theses, and what the public finds of them. */
import { firstRow } from '#db/rows.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fold } from '#kit/contract/fold.ts'
import { sql } from 'kysely'
import { holdThesis } from '../thesis/reach.server.ts'
import { repositoryCalls as calls, type FoundThesis, type ShownThesis } from './repository.contract.ts'

/** Theses on one page of a search. */
const PAGE = 20
/** SQL: the file of the deposit `d` is open; on the day itself it is. */
const OPEN = sql.raw(`(d.embargo_until is null or d.embargo_until <= university_today())`)
const FOUND = sql.raw(`d.handle, d.title, d.title_local, d.creator, d.creator_local, d.degree,
  json_build_object('name', f.name, 'name_local', f.name_local) as faculty, d.granted_on::text`)

/** The Arabic article with what is joined to it. */
const ARTICLE = /^[وف]?(?:[بك]?ال|لل)(?=.{2})/
/** Letters that Arabic joins to a word, and that are the first of many words as well. */
const JOINED = /^(?:[وف][بكل]|[وفبكل])(?=.{3})/
/** So many words are looked for as beginnings of words; of more, as a whole title has, the last one alone, which is still typed. */
const BEGUN = 4
/**
 * The words of a search as PostgreSQL looks for them: all of them, each as the beginning of a word (of two letters and less: the
 * word itself). «الموانئ» and «للموانئ» find what holds «موانئ» in any form, as `thesis_words` keeps it; «وموانئ» too, but as a
 * whole word, since «وزارة» is one as it stands.
 */
export const searched = (q: string): string =>
  fold(q)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 12)
    .map((word, i, { length }) => {
      const begun = (one: string) => (one.length > 2 && (length <= BEGUN || i === length - 1) ? `${one}:*` : one)
      const bare = word.replace(ARTICLE, '')
      if (bare !== word) return begun(bare)
      const less = word.replace(JOINED, '')
      return less === word ? begun(word) : `(${begun(word)} | ${less})`
    })
    .join(' & ')

export const repositoryHandlers: readonly Handled[] = [
  handle(calls.deposit, (ctx, { params: { id }, body: { licence, embargo_until = null } }) =>
    ctx.write(async (tx) => {
      const { status } = await holdThesis(ctx, tx, id, 'deposit_thesis')
      if (status !== 'granted') throw refuse(409, 'thesis_deposit_state')
      const { rows: lacks } = await sql<{ abstracts: boolean; file: boolean; twice: boolean }>`select
          coalesce(t.abstract, '') <> '' and coalesce(t.abstract_local, '') <> '' as abstracts,
          exists (select from thesis_versions v where v.thesis_id = t.id) as file,
          exists (select from thesis_deposits d where d.thesis_id = t.id) as twice from theses t where t.id = ${id}`.execute(
        tx,
      )
      const { abstracts, file, twice } = firstRow(lacks)
      if (twice) throw refuse(409, 'thesis_deposit_twice')
      if (!abstracts) throw refuse(409, 'thesis_abstract_missing')
      if (!file) throw refuse(409, 'thesis_manuscript_missing')
      const { rows } = await sql<{
        handle: string
      }>`insert into thesis_deposits (thesis_id, handle, file_id, title, title_local, creator, creator_local, contributors,
          abstract, abstract_local, keywords, keywords_local, language, degree, faculty_id, granted_on, licence, embargo_until, created_by)
        select t.id, extract(year from t.granted_on)::text || '-' || lpad(t.id::text, 6, '0'),
          (select v.file_id from thesis_versions v where v.thesis_id = t.id order by v.number desc limit 1), t.title, t.title_local, s.name, s.name_local,
          coalesce((select jsonb_agg(jsonb_build_object('name', coalesce(i.name, x.name), 'name_local', coalesce(i.name_local, x.name_local)) order by m.position)
            from thesis_members m left join instructors i on i.id = m.instructor_id left join external_examiners x on x.id = m.examiner_id
            where m.thesis_id = t.id and m.until_date is null and m.job in ('leader', 'member')), '[]'),
          t.abstract, t.abstract_local, t.keywords, t.keywords_local, t.language, t.degree, s.faculty_id, t.granted_on, ${licence}, ${embargo_until}::date,
          ${ctx.actor?.user_id ?? null}::int
        from theses t join students s on s.id = t.student_id where t.id = ${id} returning handle`.execute(tx)
      return { data: { id, ...firstRow(rows) } }
    }),
  ),
  handle(calls.withdraw, (ctx, { params: { id }, body: { reason } }) =>
    ctx.write(
      async (tx) => {
        await holdThesis(ctx, tx, id, 'deposit_thesis')
        const { rows } = await sql`update thesis_deposits set withdrawn_at = now(), withdrawn_reason = ${reason},
            stamp = greatest(date_trunc('second', now()), stamp)
          where thesis_id = ${id} and withdrawn_at is null returning id`.execute(tx)
        if (!rows.length) throw refuse(409, 'thesis_not_deposited')
        return { data: { id } }
      },
      { reason },
    ),
  ),
  handle(calls.search, async (ctx, { query: { q = '', page = 1 } }) => {
    const words = searched(q)
    const { rows } =
      await sql<FoundThesis>`select ${FOUND} from thesis_deposits d join faculties f on f.id = d.faculty_id
      where d.withdrawn_at is null and (${words} = '' or d.words @@ to_tsquery('simple', ${words}))
      order by d.granted_on desc, d.id desc limit ${PAGE + 1} offset ${(page - 1) * PAGE}`.execute(ctx.db)
    return { data: rows.slice(0, PAGE), meta: { more: rows.length > PAGE } }
  }),
  handle(calls.shown, async (ctx, { params: { handle: at } }) => {
    const { rows } = await sql<
      Extract<ShownThesis, { withdrawn: false }> & { gone: string | null; why: string | null }
    >`
      select ${FOUND}, d.contributors, d.abstract, d.abstract_local, d.keywords, d.keywords_local, d.language, d.licence,
        case when not ${OPEN} then d.embargo_until::text end as closed_until, false as withdrawn,
        (d.withdrawn_at at time zone university_zone())::date::text as gone, d.withdrawn_reason as why
      from thesis_deposits d join faculties f on f.id = d.faculty_id where d.handle = ${at}`.execute(ctx.db)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    const { gone, why, ...shown } = row
    return { data: gone ? { withdrawn: true as const, handle: at, withdrawn_on: gone, reason: why ?? '' } : shown }
  }),
  handle(calls.file, async (ctx, { params: { handle: at } }) => {
    const { rows } = await sql<{ file_id: number; open: boolean; gone: boolean; until: string | null }>`
      select d.file_id, ${OPEN} as open, d.withdrawn_at is not null as gone, d.embargo_until::text as until from thesis_deposits d where d.handle = ${at}`.execute(
      ctx.db,
    )
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    if (row.gone) throw refuse(410, 'thesis_withdrawn')
    if (!row.open) throw refuse(403, 'thesis_embargo', { day: row.until })
    const { content } = await ctx.services.files.read(row.file_id)
    return { name: `${at}.pdf`, type: 'pdf', content }
  }),
]
