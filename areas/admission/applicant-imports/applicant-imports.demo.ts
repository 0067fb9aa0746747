import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { addDays, instantAt } from '#kit/contract/day.ts'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'
import { takeSerials } from '#kit/server/unit/serials.ts'
import { applicationNumbers } from '#areas/admission/applicants/apply/apply.server.ts'

const ADMISSION = 1
const EGYPT = 64
const HEADINGS = [
  'رقم التنسيق',
  'الرقم القومي',
  'اسم الطالب',
  'النوع',
  'نوع الشهادة',
  'المجموع',
  'البرنامج المرشح له',
  'الموبايل',
  'البريد الإلكتروني',
]
const FIELDS = [
  'ministry_number',
  'national_id',
  'name_local',
  'gender',
  'certificate_type_id',
  'certificate_total',
  'wish_1',
  'phone',
  'email',
]
const MEN = ['أحمد', 'محمود', 'يوسف', 'عمر', 'كريم', 'زياد', 'مروان', 'طارق']
const WOMEN = ['سارة', 'ندى', 'آية', 'رنا', 'جنى', 'ليلى', 'حبيبة', 'روان']
const FAMILIES = [
  'السيد',
  'عبد الرحمن',
  'إبراهيم',
  'الشاذلي',
  'البدري',
  'حجازي',
  'القاضي',
  'منصور',
  'الجندي',
  'صبري',
  'فهمي',
  'النجار',
]
const GOOD = 188
const two = (n: number) => String(n).padStart(2, '0')

/** A kept mapping, and the sheet of the ministry of this summer as it was saved: 188 people, and twelve rows that were not written. */
export default demoPart(
  [
    'applicant_mappings',
    'applicant_imports',
    'applicant_import_rows',
    'applicant_import_portions',
    'applicant_nominations',
  ],
  ['admissions', 'admission_programs', 'applicants', 'applicant_degrees', 'certificate_types', 'communities'],
  async (tx, demo) => {
    const { rows: programs } = await sql<{
      id: number
      code: string
    }>`select p.id, p.code from admission_programs x join programs p on p.id = x.program_id
      where x.admission_id = ${ADMISSION} and x.is_open order by x.id`.execute(tx)
    const { rows: types } = await sql<{ code: string }>`select code from certificate_types where id = 1`.execute(tx)
    const { rows: officers } = await sql<{
      id: number
    }>`select id from users where email like 'admission@%' order by id limit 1`.execute(tx)
    const by = officers[0]?.id ?? null
    const numbers = await takeSerials(tx, applicationNumbers, GOOD)
    const people = Array.from({ length: GOOD }, (_, i) => {
      const man = i % 2 === 0
      const birth_date = `200${7 + (i % 2)}-${two((i % 12) + 1)}-${two((i % 27) + 1)}`
      const program = programs[i % programs.length]!
      const total = (255 + ((i * 37) % 1260) / 20).toFixed(2)
      return {
        row: i + 2,
        man,
        birth_date,
        program,
        total,
        code: numbers[i]!.text,
        number: `26-${String(40_117 + i * 13)}`,
        national_id: `3${birth_date.slice(2).replaceAll('-', '')}01${String(500 + i)}${man ? 1 : 2}${i % 10}`,
        name: `${(man ? MEN : WOMEN)[i % 8]} ${MEN[(i * 3) % 8]} ${FAMILIES[(i * 5) % 12]}`,
        phone: `0112${String(3_400_000 + i * 1301)}`,
        email: `nominated.${i + 1}@example.com`,
      }
    })
    type Person = (typeof people)[number]
    const cellsOf = (one: Person) => [
      one.number,
      one.national_id,
      one.name,
      one.man ? 'ذكر' : 'أنثى',
      types[0]!.code,
      one.total,
      one.program.code,
      one.phone,
      one.email,
    ]
    const first = people.slice(0, 5).map(cellsOf)
    const columns = Object.fromEntries(FIELDS.map((field, at) => [field, at]))
    const at = instantAt(addDays(demo.today, -3), '11:20').toISOString()
    const counts = { new: GOOD, changed: 0, same: 0, duplicate: 3, elsewhere: 2, decided: 1, wrong: 6 }
    await insertRows(
      tx,
      'applicant_mappings',
      [
        {
          name: 'مكتب التنسيق',
          applicant_type: 1,
          columns: Object.fromEntries(FIELDS.map((field, i) => [field, HEADINGS[i]])),
          created_by: by,
          version: 1,
          created_at: at,
          updated_at: at,
        },
      ].map((one) => ({ id: 1, ...one })),
    )
    await insertRows(tx, 'applicant_imports', [
      {
        id: 1,
        admission_id: ADMISSION,
        file_name: 'tansik-1.csv',
        file_hash: createHash('sha256').update('demo sheet of the ministry').digest('hex'),
        file_size: 24_310,
        format: 'csv',
        encoding: 'windows-1256',
        headings: HEADINGS,
        first,
        columns,
        stage: 'saved',
        counts,
        created_by: by,
        version: 1,
        saved_at: at,
        created_at: at,
        updated_at: at,
      },
    ])
    const ids = await insertRows<number>(
      tx,
      'applicants',
      (await sql<{ next: number }>`select coalesce(max(id), 0)::int as next from applicants`.execute(tx)).rows.flatMap(
        ({ next }) =>
          people.map((one, i) => ({
            id: next + i + 1,
            code: one.code,
            admission_id: ADMISSION,
            status: 'INCOMPLETE',
            language: 'ar',
            name_local: one.name,
            nationality_id: EGYPT,
            national_id: one.national_id,
            gender: one.man ? 1 : 2,
            birth_date: one.birth_date,
            birth_community_id: 1,
            phone: one.phone,
            certificate_type_id: 1,
            certificate_total: one.total,
            percentage: (Math.round((Number(one.total) * 10_000) / 320) / 100).toFixed(2),
            wants_scholarship: false,
            wants_financial_aid: false,
            require_payment: true,
            version: 1,
            created_at: at,
            updated_at: at,
          })),
      ),
      { returning: 'id' },
    )
    await insertRows(
      tx,
      'applicant_preferences',
      people.map((one, i) => ({ applicant_id: ids[i]!, position: 0, program_id: one.program.id })),
    )
    await insertRows(
      tx,
      'applicant_nominations',
      people.map((one, i) => ({
        applicant_id: ids[i]!,
        admission_id: ADMISSION,
        ministry_number: one.number,
        person: `n:${one.national_id}`,
        email: one.email,
        fields: [
          'name_local',
          'nationality_id',
          'national_id',
          'gender',
          'birth_date',
          'birth_community_id',
          'phone',
          'certificate_type_id',
          'certificate_total',
          'preferences',
        ],
        import_id: 1,
        shown: false,
        created_at: at,
        updated_at: at,
      })),
    )
    const valuesOf = (one: Person, i: number) => ({
      import_id: 1,
      row: one.row,
      outcome: 'new',
      person: `n:${one.national_id}`,
      ministry_number: one.number,
      ministry_email: one.email,
      name_local: one.name,
      nationality_id: EGYPT,
      national_id: one.national_id,
      gender: one.man ? 1 : 2,
      birth_date: one.birth_date,
      phone: one.phone,
      certificate_type_id: 1,
      certificate_total: one.total,
      wishes: [one.program.id],
      cells: cellsOf(one),
      errors: null as unknown,
      applicant_id: ids[i] ?? null,
    })
    const told = (
      i: number,
      outcome: string,
      code: string,
      place: number | null,
      cell: string | null,
      data?: Record<string, unknown>,
    ) => {
      const one = people[i]!
      const cells = cellsOf(one)
      if (place !== null && cell !== null) cells[place] = cell
      return { outcome, cells, errors: [{ at: place, code, ...(data && { data }) }], one, cell }
    }
    const others = [
      told(3, 'duplicate', 'applicant_row_twice', null, null, { row: 5 }),
      told(40, 'duplicate', 'applicant_row_twice', null, null, { row: 42 }),
      told(90, 'duplicate', 'applicant_row_twice', null, null, { row: 92 }),
      told(11, 'elsewhere', 'applicant_row_student', null, null, {}),
      told(12, 'elsewhere', 'applicant_row_applied', null, null, {}),
      told(14, 'decided', 'applicant_row_decided', null, null, {}),
      told(15, 'wrong', 'application_mark_above', 5, '412', { max: '320.00' }),
      told(16, 'wrong', 'applicant_row_program', 6, 'PHARM-X', { given: 'PHARM-X' }),
      told(17, 'wrong', 'national_id_digits', 1, '3080214010012', {}),
      told(18, 'wrong', 'applicant_row_gender', 3, 'طالب', { given: 'طالب' }),
      told(19, 'wrong', 'applicant_row_formula', 5, '=SUM(F2:F9)'),
      told(20, 'wrong', 'mobile_not_valid', 7, '0112', {}),
    ]
    await insertRows(tx, 'applicant_import_rows', [
      ...people.map(valuesOf),
      ...others.map(({ outcome, cells, errors, one }, i) => ({
        ...valuesOf(one, GOOD),
        row: GOOD + 2 + i,
        outcome,
        cells,
        errors,
        ministry_number: outcome === 'duplicate' ? one.number : `26-9${i}`,
        wishes: null,
      })),
    ])
    await insertRows(tx, 'applicant_import_portions', [
      { import_id: 1, from_row: 2, to_row: GOOD + 1, done: true, saved: GOOD },
    ])
    await followIds(tx, 'applicant_mappings', 'applicant_imports', 'applicants')
  },
)
