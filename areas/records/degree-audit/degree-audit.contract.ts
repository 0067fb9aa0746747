import { area } from '#kit/contract/index.ts'
import { degreeAuditCalls, auditErrors, auditScreens } from './audits/audit.contract.ts'
import { requirementScreens, storedCalls } from './requirements/stored.contract.ts'
import { touchedCalls } from './requirements/touched.contract.ts'
import { missingTexts, requirementErrors } from './requirements/texts.contract.ts'
import {
  requirementsOfBylaw,
  requirementsOfProgram,
  standingUnderEdit,
} from '#areas/study/catalogue/outlets.contract.ts'

/** What a degree requires, and where each student stands. */
export const degreeAuditArea = area({
  name: 'degree-audit',
  label: ['Degree audit', 'الموقف من متطلبات الدرجة'],
  fills: [requirementsOfBylaw, requirementsOfProgram, standingUnderEdit],
  calls: [storedCalls, touchedCalls, degreeAuditCalls],
  screens: [...requirementScreens, ...auditScreens],
  errors: { ...requirementErrors, ...missingTexts, ...auditErrors },
})
