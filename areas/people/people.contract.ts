import { area } from '#kit/contract/index.ts'
import { instructor } from './instructors/instructor.contract.ts'

/** People who work at the university. */
export const peopleArea = area({
  name: 'people',
  label: ['Staff', 'العاملون'],
  resources: [instructor],
  errors: {
    department_of_other_faculty: ['The department belongs to another faculty.', 'القسم يتبع كلية أخرى.'],
  },
})
