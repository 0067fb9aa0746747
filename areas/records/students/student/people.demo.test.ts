import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '#db/testing.ts'
import { GOVERNORATES } from '#demo/names.ts'
import { checkDigit } from '#demo/people.ts'
import { demoDatabase } from '#tests/demo.ts'
import { EGYPTIAN } from '#areas/common/academics/telephone.rules.ts'
import { personProblems, readNationalId } from './person.rules.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await demoDatabase()
}, 900_000)
afterAll(() => database?.drop())
const q = async (text: string, values: unknown[] = []): Promise<any[]> => (await database.pool.query(text, values)).rows

describe('everybody of the demo university', () => {
  test('who is Egyptian has a national id that says the birth date, the governorate and the gender of the record', async () => {
    const people =
      await q(`select code, nationality_id, national_id, birth_date::text, gender, military_status, phone, parent_phone, address
      from students order by id`)
    const egyptians = people.filter((one) => one.nationality_id === EGYPTIAN)
    expect(egyptians.length).toBeGreaterThan(1400)
    for (const one of egyptians) {
      expect(one.national_id, one.code).toMatch(/^[23]\d{13}$/)
      expect(readNationalId(one.national_id), one.code).toEqual({ birth_date: one.birth_date, gender: one.gender })
      const governorate = GOVERNORATES.find(({ code }) => code === one.national_id.slice(7, 9))
      expect(governorate, one.code).toBeDefined()
      if (one.address)
        expect(one.address.endsWith(governorate!.name) || one.address.endsWith(governorate!.name_local), one.code).toBe(
          true,
        )
      expect(Number(one.national_id[13]), one.code).toBe(checkDigit(one.national_id.slice(0, 13)))
      expect(personProblems(one, null, '2100-01-01'), one.code).toEqual([])
    }
    // Who is not has none; the one who was entered twice has neither yet.
    expect(
      people.filter((one) => one.nationality_id !== EGYPTIAN && one.national_id !== null).map((one) => one.code),
    ).toEqual([])
    expect(people.filter((one) => one.nationality_id === null).map((one) => one.code[0])).toEqual(['D'])
    for (const { national_id } of await q('select national_id from instructors where national_id is not null'))
      expect([readNationalId(national_id) !== null, Number(national_id[13])]).toEqual([
        true,
        checkDigit(national_id.slice(0, 13)),
      ])
  })
  test('nobody has the national id of another person', async () => {
    expect(
      await q(`select national_id from students where national_id is not null group by national_id
        having count(distinct coalesce(user_id, -id)) > 1`),
    ).toEqual([])
  })
})

describe('the students of the master', () => {
  test('study by a plan of courses under a bylaw of their own, with results over terms', async () => {
    const [program] = await q(`select p.id, p.study_level, b.code as bylaw, p.min_credit_hours::float8 as hours,
        (select sum(c.credit_hours)::float8 from program_courses x join courses c on c.id = x.course_id where x.program_id = p.id and x.kind = 'mandatory')
          + (select sum(min_credit_hours)::float8 from program_pools o where o.program_id = p.id) as planned,
        (select array_agg(stage order by position) from program_stages s where s.program_id = p.id) as stages
      from programs p join bylaws b on b.id = p.bylaw_id where p.code = 'MSC-CS'`)
    expect(program).toMatchObject({ study_level: 'postgraduate', bylaw: 'FEC-PG2023', hours: 37.5, planned: 37.5 })
    expect(program.stages).toContain('defence')
    const students = await q(
      `select s.id, s.entry_term_id, s.level, s.gpa::float8 as gpa, s.passed_hours::float8 as hours, s.advisor_id is not null as advised,
        (select count(*)::int from registrations r where r.student_id = s.id and r.letter is not null) as results,
        (select count(*)::int from student_terms t where t.student_id = s.id) as terms,
        (select count(*)::int from registrations r join current_terms c on c.key = 'current_term' and c.term_id = r.term_id where r.student_id = s.id) as running,
        (select count(*)::int from registrations r join offerings o on o.id = r.offering_id where r.student_id = s.id and r.letter is not null
          and o.control_status not in ('Published', 'Frozen')) as early
      from students s where s.program_id = $1 order by s.id`,
      [program.id],
    )
    expect(students.length).toBeGreaterThanOrEqual(10)
    expect(students.every((one) => one.advised && one.running > 0 && one.early === 0)).toBe(true)
    const entries = [...new Set(students.map((one) => one.entry_term_id))]
    const oldest = students.filter((one) => one.entry_term_id === entries[0])
    for (const one of oldest) {
      expect(one.results).toBeGreaterThanOrEqual(9)
      expect(one.terms).toBeGreaterThanOrEqual(2)
      expect(one.gpa).toBeGreaterThan(1)
      expect(one.hours).toBeGreaterThan(9)
    }
    // The thesis has hours, and somebody works on it.
    const thesis = await q(`select c.code, c.credit_hours::float8 as hours, count(r.id)::int as students
      from courses c left join registrations r on r.course_id = c.id where c.code in ('CSC798', 'CSC799') group by c.id order by c.code`)
    expect(thesis.map((one) => [one.code, one.hours])).toEqual([
      ['CSC798', 6],
      ['CSC799', 6],
    ])
    expect(thesis[0].students).toBeGreaterThan(0)
    // Nobody takes more than the load, or what is asked for before.
    expect(
      await q(
        `select r.student_id from registrations r join students s on s.id = r.student_id where s.program_id = $1
         group by r.student_id, r.term_id having sum(r.credit_hours) > 12`,
        [program.id],
      ),
    ).toEqual([])
    expect(
      await q(
        `select r.id from registrations r join students s on s.id = r.student_id join course_prerequisites p on p.course_id = r.course_id
         where s.program_id = $1 and not exists (select from registrations e join terms w on w.id = e.term_id, terms m
           where m.id = r.term_id and e.student_id = r.student_id and e.course_id = p.required_course_id and e.passed and w.start_date < m.start_date)`,
        [program.id],
      ),
    ).toEqual([])
  })
})
