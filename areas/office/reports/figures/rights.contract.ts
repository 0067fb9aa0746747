import type { PermissionKey } from '#access/permissions.contract.ts'

/** Rights to reports of figures. Each report asks for one of them. */
export const REPORT_RIGHTS = [
  'access_report_admission',
  'access_report_Registrations',
  'access_report_graduates',
  'access_report_equivalence',
  'access_report_foreigners',
] as const satisfies readonly PermissionKey[]
export type ReportRight = (typeof REPORT_RIGHTS)[number]
