/** Persons: names in both scripts, national ids that agree with birth date and gender, and the staff with its roles. */
import { addDays, isoDate } from './dates.ts'
import type { DemoUser, Person } from './model.ts'
import { ARAB, COMMON, COPTIC, GOVERNORATES, NATIONALITIES, type NamePair, type NamePool } from './names.ts'
import { DEPARTMENTS, FACULTIES, PROGRAMS, UNIVERSITY } from './programs.ts'
import type { Random } from './random.ts'

/** Makes persons without ever repeating a full name, a national id, a passport number or an e-mail address. */
export type PersonMaker = (from: {
  /** Earliest and latest date of birth. */
  born: [string, string]
  foreign?: boolean
  gender?: 1 | 2
  /** The part before the @; made of the name when left out. */
  email?: string
}) => Person & { parts: NamePair[] }

const CHECK_WEIGHTS = [2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

/** Last digit of a national id, from the first thirteen. */
export const checkDigit = (thirteen: string): number =>
  (11 - (CHECK_WEIGHTS.reduce((sum, weight, i) => sum + weight * Number(thirteen[i]), 0) % 11)) % 10

const STREETS: NamePair[] = [
  ['شارع فؤاد', 'Fouad Street'],
  ['شارع أبو قير', 'Abu Qir Street'],
  ['شارع الجيش', 'El Geish Street'],
  ['شارع الحرية', 'El Horreya Street'],
  ['شارع الجمهورية', 'El Gomhoreya Street'],
  ['شارع سعد زغلول', 'Saad Zaghloul Street'],
  ['شارع النصر', 'El Nasr Street'],
  ['شارع الثورة', 'El Thawra Street'],
]

export function personMaker(random: Random): PersonMaker {
  const used = new Set<string>()
  /** Draws until something new comes out. */
  const distinct = <T>(make: () => T, key: (made: T) => string): T => {
    for (let tries = 0; ; tries++) {
      const made = make()
      if (!used.has(key(made))) {
        used.add(key(made))
        return made
      }
      if (tries > 1000) throw new Error('The demo has run out of distinct names or numbers')
    }
  }
  const weighted = GOVERNORATES.flatMap((governorate) =>
    Array<typeof governorate>(governorate.weight).fill(governorate),
  )
  const foreigners = NATIONALITIES.filter((nationality) => nationality.code !== 'EG')

  const fullName = (pool: NamePool, gender: 1 | 2): NamePair[] => {
    const parts: NamePair[] = [random.pick(gender === 1 ? pool.male : pool.female)]
    while (parts.length < 3) {
      const part = random.pick(pool.male)
      if (!parts.includes(part)) parts.push(part)
    }
    parts.push(random.pick(pool.family))
    return parts
  }

  return ({ born, foreign = false, gender = random.chance(0.5) ? 1 : 2, email }) => {
    const span = (Date.parse(born[1]) - Date.parse(born[0])) / 86_400_000
    const birth_date = addDays(born[0], random.int(0, span))
    const pool = foreign ? ARAB : random.chance(0.1) ? COPTIC : COMMON
    const parts = distinct(
      () => fullName(pool, gender),
      (made) => made.join(' '),
    )
    const name_local = parts.map(([local]) => local).join(' ')
    const name = parts.map(([, latin]) => latin).join(' ')
    const governorate = random.pick(weighted)
    const century = birth_date < '2000' ? '2' : '3'
    const national_id = foreign
      ? null
      : distinct(
          () => {
            const sequence = String(random.int(0, 999)).padStart(3, '0')
            // The thirteenth digit is odd for men and even for women.
            const last = random.int(0, 4) * 2 + (gender === 1 ? 1 : 0)
            const thirteen = `${century}${birth_date.slice(2).replaceAll('-', '')}${governorate.code}${sequence}${last}`
            return thirteen + checkDigit(thirteen)
          },
          (id) => id,
        )
    const passport_number = foreign
      ? distinct(
          () => `${random.pick(['A', 'B', 'N', 'P'])}${random.int(10_000_000, 99_999_999)}`,
          (number) => number,
        )
      : null
    const words = name.toLowerCase().split(' ')
    const plain = `${words[0]}.${words.at(-1)}`
    let address = email ?? plain
    for (let n = 2; email === undefined && used.has(`mail ${address}`); n++) address = `${plain}${n}`
    used.add(`mail ${address}`)
    const [streetLocal, street] = random.pick(STREETS)
    const number = random.int(1, 180)
    return {
      parts,
      name,
      name_local,
      email: `${address}@${UNIVERSITY.domain}`,
      gender,
      birth_date,
      nationality_id: foreign ? random.pick(foreigners).id : 64,
      national_id,
      passport_number,
      phone: `01${random.pick(['0', '1', '2', '5'])}${String(random.int(0, 99_999_999)).padStart(8, '0')}`,
      address: `${number} ${street}, ${governorate.name}`,
      address_local: `${number} ${streetLocal}، ${governorate.name_local}`,
    }
  }
}

type Title = readonly [string, string, DemoUser['academic_title']?]
const PROFESSOR: Title = ['Professor', 'أستاذ', 'professor']
const RANKS: Title[] = [
  PROFESSOR,
  ['Associate Professor', 'أستاذ مساعد', 'associate_professor'],
  ['Assistant Professor', 'مدرس', 'lecturer'],
  ['Assistant Professor', 'مدرس', 'lecturer'],
]
const ASSISTANT_RANKS: Title[] = [
  ['Assistant Lecturer', 'مدرس مساعد', 'assistant_lecturer'],
  ['Teaching Assistant', 'معيد', 'demonstrator'],
]

/** People who hold an office and do not teach: role, title, faculty, account address. */
const OFFICES: { role: string; title: Title; faculty?: string; email?: string; academic?: true }[] = [
  { role: 'root', title: ['Systems Director', 'مدير نظم المعلومات'], email: 'root' },
  { role: 'super_admin', title: ['Head of Information Systems', 'رئيس إدارة نظم المعلومات'], email: 'superadmin' },
  { role: 'admin', title: ['System Administrator', 'مسؤول النظام'], email: 'admin' },
  { role: 'registrar', title: ['University Registrar', 'مسجل عام الجامعة'], email: 'registrar' },
  {
    role: 'faculty_registrar',
    title: ['Faculty Registrar', 'مسجل الكلية'],
    faculty: 'FEC',
    email: 'faculty.registrar',
  },
  { role: 'faculty_registrar', title: ['Faculty Registrar', 'مسجل الكلية'], faculty: 'FCO' },
  { role: 'exam_officer', title: ['Exam Officer', 'مسؤول الامتحانات'], email: 'exams' },
  { role: 'quality_staff', title: ['Quality Officer', 'مسؤول الجودة'], email: 'quality' },
  { role: 'finance_officer', title: ['Finance Officer', 'مسؤول الشؤون المالية'], email: 'finance' },
  { role: 'cashier', title: ['Cashier', 'أمين الخزينة'], email: 'cashier' },
  { role: 'admission_officer', title: ['Admission Officer', 'مسؤول القبول'], email: 'admission' },
  {
    role: 'graduate_affairs_employee',
    title: ['Graduate Affairs Officer', 'موظف شؤون الخريجين'],
    email: 'graduate.affairs',
  },
  {
    role: 'graduate_affairs_head',
    title: ['Head of Graduate Affairs', 'رئيس شؤون الخريجين'],
    email: 'graduate.affairs.head',
  },
  { role: 'dean', title: PROFESSOR, faculty: 'FEC', email: 'dean', academic: true },
  { role: 'dean', title: PROFESSOR, faculty: 'FCO', academic: true },
  { role: 'vice_president', title: PROFESSOR, email: 'vice.president', academic: true },
  { role: 'president', title: PROFESSOR, email: 'president', academic: true },
  {
    role: 'university_administration_manager',
    title: ['University Administration Manager', 'مدير إدارة الجامعة'],
    email: 'administration',
  },
  { role: 'affair_manager', title: ['Student Affairs Manager', 'مدير شؤون الطلاب'], email: 'affairs' },
  { role: 'registration_unit', title: ['Registration Unit Officer', 'موظف وحدة التسجيل'], email: 'registration' },
  { role: 'competent_employee', title: ['Student Affairs Specialist', 'أخصائي شؤون الطلاب'], email: 'employee' },
  { role: 'manager_director', title: ['Director of Student Affairs', 'مدير عام شؤون الطلاب'], email: 'director' },
]

/** Offices that came later: made last, so that everybody else stays who they are. */
const LATER_OFFICES: typeof OFFICES = [
  { role: 'finance_head', title: ['Head of Finance', 'رئيس الشؤون المالية'], email: 'finance.head' },
  { role: 'personnel_officer', title: ['Personnel Officer', 'مسؤول شؤون العاملين'], email: 'personnel' },
  { role: 'registration_unit', title: ['Department Secretary', 'سكرتير القسم'], faculty: 'FEC' },
  { role: 'registration_unit', title: ['Department Secretary', 'سكرتير القسم'], faculty: 'FCO' },
]

/** Teaching people who also hold a role: department, position in the department, role, account address. */
const TEACHING_ROLES: {
  department: string
  index: number
  role: string
  email: string
  alone?: true
  faculty?: true
}[] = [
  { department: 'CSC', index: 0, role: 'control_head', email: 'control.head', faculty: true },
  { department: 'CSC', index: 1, role: 'instructor', email: 'instructor', alone: true },
  { department: 'CSC', index: 2, role: 'program_coordinator', email: 'coordinator' },
  { department: 'CSC', index: 3, role: 'academic_advisor', email: 'advisor' },
  { department: 'CSE', index: 1, role: 'control_team', email: 'control', faculty: true },
  { department: 'BAS', index: 1, role: 'examiner', email: 'examiner' },
]

export type Staff = {
  users: DemoUser[]
  /** Ids by department code. */
  lecturers: Map<string, number[]>
  assistants: Map<string, number[]>
  /** Lecturers who advise, by faculty id. */
  advisors: Map<number, number[]>
}

/** Offices, lecturers and teaching assistants; `size` is the number of people wanted, about. */
export function buildStaff(random: Random, make: PersonMaker, year: number, size: number, later: PersonMaker): Staff {
  const users: DemoUser[] = []
  const staff: Staff = { users, lecturers: new Map(), assistants: new Map(), advisors: new Map() }
  const facultyId = (code: string | undefined) => {
    const index = FACULTIES.findIndex((faculty) => faculty.code === code)
    return index < 0 ? null : index + 1
  }
  const bornBetween = (oldest: number, youngest: number): [string, string] => [
    isoDate(year - oldest, 1, 1),
    isoDate(year - youngest, 12, 31),
  ]
  const add = (
    type: 1 | 2,
    title: Title,
    ages: [number, number],
    email: string | undefined,
    faculty_id: number | null,
    department_id: number | null,
    roles: DemoUser['roles'],
    from = make,
  ): number => {
    const id = users.length + 1
    const { parts: _parts, ...person } = from({ born: bornBetween(...ages), ...(email ? { email } : {}) })
    users.push({
      id,
      type,
      code: `${type === 1 ? 'I' : 'E'}${1000 + id}`,
      academic_title: title[2] ?? null,
      title: title[0],
      title_local: title[1],
      faculty_id,
      department_id,
      roles,
      ...person,
    })
    return id
  }

  for (const office of OFFICES) {
    const faculty_id = facultyId(office.faculty)
    const roles = [{ role: office.role, faculty_id, program_id: null }]
    add(
      office.academic ? 1 : 2,
      office.title,
      office.academic ? [64, 50] : [58, 28],
      office.email,
      faculty_id,
      null,
      roles,
    )
  }

  const planned = DEPARTMENTS.reduce((sum, department) => sum + department.lecturers + department.assistants, 0)
  const scale = Math.max(0.25, (size - OFFICES.length) / planned)
  for (const [i, department] of DEPARTMENTS.entries()) {
    const faculty_id = facultyId(department.faculty)!
    const role = (key: string, program_id: number | null = null): DemoUser['roles'][number] => ({
      role: key,
      faculty_id: null,
      program_id,
    })
    // The people behind the demo accounts exist however small the staff is.
    const needed = Math.max(
      0,
      ...TEACHING_ROLES.filter((r) => r.department === department.code).map((r) => r.index + 1),
    )
    const lecturers = Math.max(1, needed, Math.round(department.lecturers * scale))
    const assistants = Math.max(department.code === 'CSC' ? 2 : 1, Math.round(department.assistants * scale))
    const lecturerIds: number[] = []
    for (let n = 0; n < lecturers; n++) {
      const extra = TEACHING_ROLES.find((r) => r.department === department.code && r.index === n)
      const roles = [role('instructor')]
      if (!extra?.alone) roles.push(role('academic_advisor'))
      if (extra && extra.role !== 'instructor' && extra.role !== 'academic_advisor')
        roles.unshift({ ...role(extra.role), faculty_id: extra.faculty ? faculty_id : null })
      const program = PROGRAMS.findIndex((entry) => entry.department === department.code) + 1
      const coordinates = extra?.role === 'program_coordinator' || (n === 0 && program > 0 && department.code !== 'CSC')
      if (coordinates) {
        if (extra?.role === 'program_coordinator') roles.shift()
        roles.unshift(role('program_coordinator', program))
      }
      const title = RANKS[n % RANKS.length]!
      const id = add(1, title, title === PROFESSOR ? [62, 50] : [52, 34], extra?.email, faculty_id, i + 1, roles)
      lecturerIds.push(id)
      if (!extra?.alone) staff.advisors.set(faculty_id, [...(staff.advisors.get(faculty_id) ?? []), id])
    }
    staff.lecturers.set(department.code, lecturerIds)
    const assistantIds: number[] = []
    for (let n = 0; n < assistants; n++) {
      const edits = n % 2 === 0
      const email = department.code !== 'CSC' || n > 1 ? undefined : edits ? 'ta.edit' : 'ta.view'
      const key = edits ? 'teaching_assistant_edit' : 'teaching_assistant_view'
      const title = ASSISTANT_RANKS[n % 2]!
      assistantIds.push(add(1, title, n % 2 === 0 ? [34, 28] : [28, 24], email, faculty_id, i + 1, [role(key)]))
    }
    staff.assistants.set(department.code, assistantIds)
  }
  for (const { role, title, email, faculty } of LATER_OFFICES) {
    const faculty_id = facultyId(faculty)
    add(2, title, [58, 28], email, faculty_id, null, [{ role, faculty_id, program_id: null }], later)
  }
  return staff
}
