import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { addDays, instantAt } from '#kit/contract/day.ts'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'
import { takeSerials } from '#kit/server/unit/serials.ts'
import { applicationNumbers } from './apply/apply.server.ts'
import type { ApplicantStatus } from './words.contract.ts'

const EGYPT = 64
/** English and Arabic name, sex, day of birth, marks out of 320, where the application stands. */
const PEOPLE: readonly (readonly [string, string, 1 | 2, string, number, ApplicantStatus])[] = [
  ['Mariam Hassan Fouad', 'مريم حسن فؤاد', 2, '2008-03-14', 301, 'SUBMITTED'],
  ['Youssef Adel Mansour', 'يوسف عادل منصور', 1, '2008-07-02', 287.5, 'SUBMITTED'],
  ['Salma Tarek Nabil', 'سلمى طارق نبيل', 2, '2007-11-23', 312, 'REVIEWED'],
  ['Omar Khaled Saad', 'عمر خالد سعد', 1, '2008-01-09', 254, 'FEEDBACK'],
  ['Nour Ihab Lotfy', 'نور إيهاب لطفي', 2, '2008-05-30', 296, 'UPDATED'],
  ['Karim Sameh Aziz', 'كريم سامح عزيز', 1, '2007-09-17', 271.5, 'SUBMITTED'],
  ['Farida Amr Helmy', 'فريدة عمرو حلمي', 2, '2008-02-11', 308, 'REVIEWED'],
  ['Ziad Ashraf Kamal', 'زياد أشرف كمال', 1, '2008-08-25', 243, 'REJECTED'],
  ['Hana Wael Sobhy', 'هنا وائل صبحي', 2, '2008-04-04', 290, 'SUBMITTED'],
  ['Mostafa Hany Ragab', 'مصطفى هاني رجب', 1, '2007-12-19', 279, 'INCOMPLETE'],
  ['Laila Sherif Galal', 'ليلى شريف جلال', 2, '2008-06-08', 305.5, 'SUBMITTED'],
  ['Adham Maged Shaker', 'أدهم ماجد شاكر', 1, '2008-10-12', 262, 'CANCELLED'],
  ['Jana Hazem Rashad', 'جنى حازم رشاد', 2, '2008-09-03', 284, 'UPDATED'],
  ['Ali Mahmoud Barakat', 'علي محمود بركات', 1, '2008-01-27', 276.5, 'UPDATED'],
  ['Malak Essam Younis', 'ملك عصام يونس', 2, '2007-10-05', 298, 'REVIEWED'],
  ['Seif Walid Hamdy', 'سيف وليد حمدي', 1, '2008-07-21', 266, 'UPDATED'],
]

/** Applicants of this year's undergraduate admission, wherever an application may stand; the desk has written to one of them. */
export default demoPart(['applicants'], ['admissions', 'admission_programs', 'communities'], async (tx, demo) => {
  const numbers = await takeSerials(tx, applicationNumbers, PEOPLE.length)
  const { rows: programs } = await sql<{ id: number }>`select program_id as id from admission_programs
    where admission_id = 1 and is_open order by program_id`.execute(tx)
  const at = (i: number) => instantAt(addDays(demo.today, -1 - (i % 9)), '10:00').toISOString()
  await insertRows(
    tx,
    'applicants',
    PEOPLE.map(([name, name_local, gender, birth_date, total, status], i) => ({
      id: i + 1,
      code: numbers[i]!.text,
      admission_id: 1,
      status,
      email: `${name.split(' ')[0]!.toLowerCase()}.${i + 1}@example.com`,
      language: 'ar',
      // Nobody has these keys: whoever wants one asks for a code.
      key_hash: `\\x${createHash('sha256').update(`demo applicant ${i}`).digest('hex')}`,
      name,
      name_local,
      nationality_id: EGYPT,
      // Century, day of birth, governorate, a number of four figures whose last tells the sex, and a check figure.
      national_id: `3${birth_date.slice(2).replaceAll('-', '')}0100${i % 10}${gender === 1 ? 1 : 2}${(i * 3) % 10}`,
      gender,
      birth_date,
      phone: `0100${String(4_200_117 + i * 31_337).padStart(7, '0')}`,
      country_id: EGYPT,
      community_id: 1,
      address: '12 Corniche Street',
      father_name: name_local.split(' ').slice(1).join(' '),
      mother_name: 'سعاد محمد',
      certificate_type_id: 1 + (i % 2),
      certificate_country_id: EGYPT,
      certificate_year: Number(demo.today.slice(0, 4)),
      certificate_school: 'Nile Secondary School',
      certificate_total: total,
      percentage: ((Math.round(total * 100) / 32_000) * 100).toFixed(2),
      wants_scholarship: i % 4 === 0,
      scholarship_reason: i % 4 === 0 ? 'My marks are among the best of my school.' : null,
      wants_financial_aid: false,
      require_payment: false,
      version: 1,
      submitted_at: status === 'INCOMPLETE' ? null : at(i),
      created_at: at(i),
      updated_at: at(i),
    })),
  )
  await followIds(tx, 'applicants')
  await insertRows(
    tx,
    'applicant_preferences',
    PEOPLE.flatMap((_, i) =>
      [0, 3, 1].slice(0, 1 + (i % 3)).map((step, position) => ({
        applicant_id: i + 1,
        position,
        program_id: programs[(i + step) % programs.length]!.id,
      })),
    ),
  )
  // What each lost of the total is lost in all subjects alike.
  await insertRows(
    tx,
    'applicant_subjects',
    PEOPLE.flatMap(([, , , , total], i) =>
      (i % 2 ? [1, 2, 3, 4, 5] : [1, 2, 4, 5, 6]).map((certificate_subject_id, position) => ({
        applicant_id: i + 1,
        position,
        certificate_subject_id,
        mark: ((position === 0 ? 80 : 60) - (320 - total) / 5).toFixed(2),
      })),
    ),
  )
  // Off hold it goes on where it stood.
  await sql`insert into step_history (workflow, record_id, actor_id, action, from_state, to_state, reason)
    select 'applicant', t.id, (select id from users where email like 'admission@%' order by id limit 1), 'hold', 'SUBMITTED', 'REJECTED',
      'The same person has applied twice.' from applicants t where t.status = 'REJECTED'`.execute(tx)
  // To one it was sent; others are still being looked at.
  await sql`insert into applicant_comments (applicant_id, tab, text, created_by)
    select x.id, x.tab, x.text, (select id from users where email like 'admission@%' order by id limit 1)
    from (values (4, 'documents', 'The picture of the certificate cannot be read. Please photograph it again.'),
      (5, 'contact_info', 'Nobody answers at this number.'), (7, 'documents', 'The birth certificate is of somebody else.'),
      (9, 'parent_info', 'The name of the father is not that on the birth certificate.'),
      (11, 'academic_data', 'The total is another one than on the certificate.'), (13, 'documents', 'The passport photograph is missing.'),
      (14, 'contact_info', 'Please add the apartment.'), (15, 'documents', 'The back of the card is missing.'),
      (16, 'documents', 'The certificate is not stamped.')) as x (id, tab, text)`.execute(tx)
})
