import { employee } from '#areas/people/people/employees/employee.contract.ts'
import { instructor } from '#areas/people/people/instructors/instructor.contract.ts'
import { student } from '#areas/records/students/student/student.contract.ts'
import type { Fields, Label } from '#kit/contract/index.ts'
import type { MergeKind } from './merge.contract.ts'

/** A value of which one stays: a field of the record, with the columns that go with it. */
export interface FieldChoice {
  readonly name: string
  readonly label: Label
  readonly columns: readonly string[]
  /** What a number or a key means. */
  readonly choices?: readonly { readonly value: string | number; readonly label: Label }[]
  /** The resource of the record that it names. */
  readonly names?: string
  readonly person?: boolean
}

const parts = (local: string): string[] =>
  ['given_name', 'father_name', 'grandfather_name', 'family_name', 'used_name'].map((name) => `${name}${local}`)

/** Kinds of fields that are kept in other tables: their rows follow by what points to the record (`pointers.rules.ts`). */
const ELSEWHERE = new Set(['lookups', 'rows'])

/** The fields of the record of each kind, as their contracts have them. */
export const FIELDS: Readonly<Record<MergeKind, Fields>> = {
  student: student.fields,
  instructor: instructor.fields,
  user: employee.fields,
}

/** Fields whose value somebody writes, and of which one stays: all but those that are declared to be the kept record's. */
const choicesOf = (fields: Fields): FieldChoice[] =>
  Object.entries(fields).flatMap(([name, { kind, label, to, choices, readOnly, merged }]) =>
    readOnly || merged || ELSEWHERE.has(kind)
      ? []
      : [
          {
            name,
            label,
            // A full name takes along its parts, and the name by which the person is called.
            columns:
              name === 'name' ? [name, ...parts('')] : name === 'name_local' ? [name, ...parts('_local')] : [name],
            ...(to && { names: to }),
            ...(choices && { choices }),
          },
        ],
  )

/**
 * The fields of which one value stays. Not among them, by their own words (`merged`): the code and what is bound to it (program,
 * bylaw, level, status; faculty and department), and the address of an account, by which somebody would come in.
 */
export const CHOICES: Readonly<Record<MergeKind, readonly FieldChoice[]>> = {
  student: choicesOf(FIELDS.student),
  instructor: choicesOf(FIELDS.instructor),
  user: choicesOf(FIELDS.user),
}

/** Columns that are no field, and stay those of the record that is kept: what is computed, decided or noted by other calls. */
export const KEPT: Readonly<Record<MergeKind, readonly string[]>> = {
  student: [
    'data',
    'dismissed_term_id',
    'entry_standing',
    'readmitted_term_id',
    'status_decision_id',
    'study_after_term_id',
    'user_id',
  ],
  instructor: ['user_id'],
  user: [
    'blocked_reason',
    'is_root',
    'is_super_admin',
    'password_hash',
    'photo_file_id',
    'second_factor_at',
    'show_hijri',
    'type',
  ],
}
/** Columns of every table. */
export const OF_EVERY_TABLE = ['id', 'version', 'created_at', 'updated_at', 'removed_at', 'search_text'] as const
