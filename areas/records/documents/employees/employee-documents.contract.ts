import { documentsOf } from '../document.contract.ts'

/** Documents of employees: certificates, identity cards, insurance; read by who decides and by the person. */
export const employeeDocuments = documentsOf({
  kind: 'employee',
  one: ['Document of an employee', 'مستند موظف'],
  many: ['Documents of employees', 'مستندات الموظفين'],
  exportName: 'Documents of employees',
  people: '/employees',
  person: ['Employee', 'الموظف'],
  scope: ['faculty', 'department', 'own'],
  readers: ['self'],
  order: 525,
  block: 'staff',
  ownPage: '/my-documents',
})
