import { area } from '#kit/contract/index.ts'

/** Early warning. */
export const earlyWarningArea = area({
  name: 'early-warning',
  label: ['Early warning', 'الإنذار المبكر'],
})
