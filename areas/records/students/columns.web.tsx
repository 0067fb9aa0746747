import type { ReactNode } from 'react'
import { Code } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import type { Column } from '#kit/web/list/columns.ts'

interface OfCourse {
  readonly course: Named & { readonly code?: string | null; readonly credit_hours: number }
}

/** What leads every table of courses: code, name, credit hours; `name` when more stands beside the name. */
export const courseColumns = <R extends OfCourse>(name?: (row: R) => ReactNode): Column<R>[] => [
  {
    key: 'code',
    label: ['Code', 'الكود'],
    width: 110,
    cell: (row) => <Code>{row.course.code}</Code>,
    value: (row) => row.course.code,
  },
  {
    key: 'course',
    label: ['Course', 'المقرر'],
    width: 280,
    cell: name ?? ((row) => <bdi>{nameOf(row.course)}</bdi>),
    value: (row) => nameOf(row.course),
  },
  {
    key: 'hours',
    label: ['Hours', 'الساعات'],
    width: 80,
    align: 'end',
    cell: (row) => formatNumber(row.course.credit_hours),
    value: (row) => row.course.credit_hours,
  },
]
