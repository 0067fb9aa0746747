import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew } from '#demo/part.ts'
import { personMaker } from '#demo/people.ts'
import { seededRandom } from '#demo/random.ts'

/** So many entered each year. */
const COHORT = 4

/** Students of the research program: graduates who came back, with an account and an advisor each. */
export default demoPart(
  ['postgraduates'],
  ['students', 'programs', 'terms', 'users', 'instructors', 'second_records', 'student_years', 'external_transfers'],
  async (tx, demo) => {
    const { rows: programs } = await sql<{ id: number; faculty_id: number; department_id: number; bylaw_id: number }>`
      select id, faculty_id, department_id, bylaw_id from programs where code = 'MSC-CS'`.execute(tx)
    const [program] = programs
    if (!program) throw new Error('there is no postgraduate program')
    const { rows: advisors } = await sql<{
      id: number
    }>`select id from instructors where department_id = ${program.department_id}
      and academic_title in ('professor', 'associate_professor') and removed_at is null order by id limit 3`.execute(tx)
    const { rows: known } = await sql<{ hash: string; role_id: number; ids: string[] }>`select
        (select password_hash from users where password_hash is not null order by id limit 1) as hash,
        (select id from roles where key = 'student') as role_id,
        array(select national_id from students where national_id is not null) as ids`.execute(tx)
    const [{ hash, role_id, ids }] = known as [(typeof known)[number]]
    const taken = new Set(ids)
    const person = personMaker(seededRandom(20_269))
    const current = demo.terms.find(({ id }) => id === demo.current_terms.current_term)!
    const entries = demo.terms.filter((term) => term.type === 'fall' && term.start_date <= current.start_date).slice(-3)
    const people = entries.flatMap((entry) => {
      const entered = Number(entry.start_date.slice(0, 4))
      return Array.from({ length: COHORT }, (_, n) => {
        const code = `${entered % 100}5${String(n + 1).padStart(4, '0')}`
        for (;;) {
          const {
            parts: _parts,
            address,
            address_local: _address,
            ...one
          } = person({
            born: [`${entered - 27}-01-01`, `${entered - 23}-12-31`],
            email: code,
          })
          if (!one.national_id || !taken.has(one.national_id))
            return { ...one, address, code, entry_term_id: entry.id, place: n }
        }
      })
    })
    const users = await insertNew(
      tx,
      'users',
      people.map(({ name, name_local, email, phone }) => ({
        type: 3,
        name,
        name_local,
        email,
        phone,
        password_hash: hash,
      })),
    )
    await insertRows(
      tx,
      'role_assignments',
      users.map((user_id) => ({ user_id, role_id })),
    )
    await insertNew(
      tx,
      'students',
      people.map(({ place, ...one }, i) => ({
        ...one,
        faculty_id: program.faculty_id,
        program_id: program.id,
        bylaw_id: program.bylaw_id,
        level: 1,
        user_id: users[i]!,
        advisor_id: advisors[place % advisors.length]?.id ?? null,
        // They have served, or need not, before they come back.
        military_status: one.gender === 1 && one.nationality_id === 64 ? 'done' : null,
        previous_university: 'Canopus University',
        previous_program: 'Computer Science',
      })),
    )
  },
)
