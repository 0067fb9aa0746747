import { employee } from '#areas/people/people/employees/employee.contract.ts'
import { instructor } from '#areas/people/people/instructors/instructor.contract.ts'
import { student } from '#areas/records/students/student/student.contract.ts'
import type { Label } from '#kit/contract/index.ts'
import type { Kind } from './merge.contract.ts'

/** A value of which one stays: a field of the record, with the columns that go with it. */
export interface Choice {
  readonly name: string
  readonly label: Label
  readonly columns: readonly string[]
  /** What a number or a key means. */
  readonly choices?: readonly { readonly value: string | number; readonly label: Label }[]
  /** Table of the record that it names. */
  readonly names?: string
  readonly person?: boolean
}

const parts = (local: string): string[] =>
  ['given_name', 'father_name', 'grandfather_name', 'family_name', 'used_name'].map((name) => `${name}${local}`)

interface Known {
  readonly fields: Readonly<Record<string, unknown>>
}
interface Given {
  readonly label: Label
  readonly to?: string
  readonly choices?: Choice['choices']
}
/** Tables that lookups of these records point to. */
const NAMED: Readonly<Record<string, string>> = {
  country: 'countries',
  instructor: 'instructors',
  location: 'locations',
  term: 'terms',
}

const choicesOf = (of: Known, names: readonly string[]): Choice[] =>
  names.map((name) => {
    const { label, to, choices } = of.fields[name] as Given
    return {
      name,
      label,
      // A full name takes along its parts, and the name by which the person is called.
      columns: name === 'name' ? [name, ...parts('')] : name === 'name_local' ? [name, ...parts('_local')] : [name],
      ...(to && NAMED[to] && { names: NAMED[to] }),
      ...(choices && { choices }),
    }
  })

/**
 * The fields of which one value stays. Not among them: the code and what is bound to it (program, bylaw, level, status; faculty
 * and department), which are those of the record that is kept; and the address of an account, by which somebody would come in.
 */
export const CHOICES: Readonly<Record<Kind, readonly Choice[]>> = {
  student: choicesOf(student, [
    'name',
    'name_local',
    'gender',
    'birth_date',
    'birth_place',
    'nationality_id',
    'national_id',
    'passport_number',
    'military_status',
    'email',
    'phone',
    'address',
    'advisor_id',
    'entry_term_id',
    'parent_name',
    'parent_relation',
    'parent_phone',
    'parent_job',
    'school_certificate',
    'school_name',
    'school_year',
    'school_percentage',
    'previous_university',
    'previous_program',
  ]),
  instructor: choicesOf(instructor, [
    'name',
    'name_local',
    'academic_title',
    'degree',
    'specialty',
    'specialty_local',
    'office_id',
    'gender',
    'national_id',
    'email',
    'phone',
    'max_advised',
  ]),
  user: choicesOf(employee, ['name', 'name_local', 'phone', 'language']),
}
