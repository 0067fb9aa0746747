import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const peopleTold: TablesTold = {
  employee_contracts: {
    one: ['Contract of an employee', 'عقد موظف'],
    many: ['Contracts of employees', 'عقود الموظفين'],
  },
}
