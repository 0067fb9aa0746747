import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew, momentBefore, stepsTo } from '#demo/part.ts'
import { sql } from 'kysely'
import { publicationFlow } from './works/publication.contract.ts'

interface Person {
  user_id: number
  name: string
  name_local: string
  faculty_id: number
}
const TOPICS: readonly (readonly [en: string, ar: string])[] = [
  ['Early detection of structural fatigue in coastal bridges', 'الكشف المبكر عن إجهاد الكباري الساحلية'],
  ['Outcomes of home care after cardiac surgery', 'نتائج الرعاية المنزلية بعد جراحات القلب'],
  ['Reading habits of first-year students', 'عادات القراءة لدى طلاب الفرقة الأولى'],
  ['Low-cost desalination with solar stills', 'تحلية المياه منخفضة التكلفة بالمقطرات الشمسية'],
  ['Arabic named entity recognition with small corpora', 'التعرف على أسماء الأعلام العربية في مدونات صغيرة'],
  ['Soil salinity along the northern lakes', 'ملوحة التربة حول البحيرات الشمالية'],
  ['Fair seat allocation in university admission', 'التوزيع العادل للمقاعد في القبول الجامعي'],
  ['Antibiotic use in outpatient clinics', 'استخدام المضادات الحيوية في العيادات الخارجية'],
]
const VENUES = [
  ['journal_article', 'Journal of Coastal Engineering', '2049-3630'],
  ['journal_article', 'Medical Letters of the Mediterranean', '0317-8471'],
  ['conference_paper', 'International Conference on Applied Research', null],
  ['conference_poster', 'Students’ Research Day', null],
  ['book_chapter', 'Handbook of Regional Studies', null],
  ['book', null, null],
] as const
const GUESTS = ['Peter Weiss', 'Ana Ribeiro', 'Claire Dubois', 'Kenji Sato']
/** Check digits of ORCID iDs for numbers that nobody has (ISO 7064 mod 11-2). */
const orcidOf = (n: number): string => {
  const digits = `00000009${String(9_900_000 + n)}`
  let total = 0
  for (const digit of digits) total = (total + Number(digit)) * 2
  const check = (12 - (total % 11)) % 11
  return `${digits}${check === 10 ? 'X' : check}`.replace(/(.{4})(?=.)/g, '$1-')
}

/** Works of a dozen instructors of all faculties in both states, with two that may be one, and journals with their ranks. */
export default demoPart(
  ['publications', 'researchers', 'ranked_journals'],
  ['users', 'instructors', 'faculties'],
  async (tx) => {
    await insertRows(
      tx,
      'ranked_journals',
      [2022, 2023, 2024, 2025].flatMap((year) => [
        { title: 'Journal of Coastal Engineering', issn: '2049-3630', publisher: 'Harbour Press', year, quartile: 1 },
        {
          title: 'Medical Letters of the Mediterranean',
          issn: '0317-8471',
          publisher: 'Delta House',
          year,
          quartile: year % 2 ? 2 : 3,
        },
      ]),
    )
    const { rows: people } = await sql<Person>`
      select user_id, name, name_local, faculty_id from (select i.user_id, coalesce(u.used_name, u.name) as name,
          coalesce(u.used_name_local, u.name_local) as name_local, i.faculty_id,
          row_number() over (partition by i.faculty_id order by u.email like 'instructor@%' desc, i.id) as place
        from instructors i join users u on u.id = i.user_id where i.removed_at is null) x
      where place <= 3 order by faculty_id, place`.execute(tx)
    if (people.length === 0) return
    await insertRows(
      tx,
      'researchers',
      people.slice(0, 12).map((one, i) => ({
        user_id: one.user_id,
        orcid: orcidOf(i),
        is_public: i % 2 === 0,
        slug: `researcher-${one.user_id}`,
        interests: TOPICS[i % TOPICS.length]![0],
        interests_local: TOPICS[i % TOPICS.length]![1],
      })),
    )
    const plan = people.flatMap((person, p) =>
      [0, 1, 2].map((n) => {
        const at = p * 3 + n
        const [kind, venue, issn] = VENUES[at % VENUES.length]!
        const [title, title_local] = TOPICS[at % TOPICS.length]!
        const arabic = at % 4 === 3
        const year = 2022 + (at % 4)
        return {
          person,
          status: n === 2 ? ('draft' as const) : ('listed' as const),
          row: {
            kind,
            language: arabic ? 'ar' : 'en',
            title: arabic ? null : `${title}: study ${at + 1}`,
            title_local: arabic || at % 3 === 0 ? `${title_local}: دراسة ${at + 1}` : null,
            venue,
            issn,
            year,
            month: 1 + (at % 12),
            volume: venue ? String(10 + (at % 7)) : null,
            pages: venue ? `${at * 7 + 1}–${at * 7 + 12}` : null,
            publisher: kind === 'book' ? 'Canopus University Press' : null,
            doi: n === 0 ? `10.99999/canopus.${at + 1}` : null,
            created_by: person.user_id,
          },
        }
      }),
    )
    // The same work once more, as somebody typed it in.
    const first = plan.find(({ row }) => row.title !== null && row.doi !== null)
    if (first)
      plan.push({
        ...first,
        status: 'draft',
        row: { ...first.row, title: first.row.title!.toUpperCase(), title_local: null, doi: null },
      })
    const ids = await insertNew(
      tx,
      'publications',
      plan.map(({ row }) => row),
    )
    await insertRows(
      tx,
      'publication_members',
      plan.flatMap(({ person }, i) => [
        {
          publication_id: ids[i]!,
          position: 1,
          user_id: person.user_id,
          name: plan[i]!.row.language === 'ar' ? person.name_local : person.name,
          is_corresponding: true,
        },
        ...GUESTS.slice(0, i % 4).map((name, at) => ({
          publication_id: ids[i]!,
          position: at + 2,
          user_id: null,
          name,
          is_corresponding: false,
        })),
      ]),
    )
    if (first) {
      const [a, b] = [ids[plan.indexOf(first)]!, ids.at(-1)!]
      await insertRows(tx, 'publication_doubles', [
        { first_id: Math.min(a, b), second_id: Math.max(a, b), why: 'title', score: 97 },
      ])
    }
    await sql`update publications set status = 'listed' where id = any(${plan.flatMap(({ status }, i) => (status === 'listed' ? [ids[i]!] : []))}::int[])`.execute(
      tx,
    )
    await insertRows(
      tx,
      'step_history',
      plan.flatMap(({ status, person }, i) =>
        [{ action: 'begin', from_state: null, to_state: 'draft' }, ...stepsTo(publicationFlow as never, status)].map(
          (step, n) => ({
            workflow: publicationFlow.name,
            record_id: ids[i]!,
            actor_id: person.user_id,
            at: momentBefore(60 - n),
            reason: null,
            ...step,
          }),
        ),
      ),
    )
  },
)
