import { Status } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatNumber, label } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { filled } from '#kit/web/router/load.tsx'
import { requirementsOfProgram, specificationOfProgram } from '../outlets.contract.ts'
import { ProgramStanding } from './program-standing.web.tsx'
import { program } from './program.contract.ts'

export default resourceWeb(program, {
  form: {
    initial: () => ({
      program_type: 'credit_hours',
      semesters: 8,
      min_credit_hours: 136,
      is_general: false,
      study_level: 'undergraduate',
    }),
    Below: ProgramStanding,
  },
  detail: {
    status: (row) =>
      row.removed ? (
        <Status is="removed" label={label(['Removed', 'محذوف'])} />
      ) : row.is_general ? (
        <Status is="general" label={label(['General program', 'برنامج عام'])} />
      ) : null,
    figures: (row) => [
      // A program by marks asks for none.
      ...(row.min_credit_hours
        ? [{ label: ['Credit hours', 'الساعات المعتمدة'] as const, value: formatNumber(row.min_credit_hours) }]
        : []),
      { label: ['Semesters', 'الفصول'], value: formatNumber(row.semesters ?? 0) },
    ],
    panels: [
      {
        key: 'research',
        title: ['Research plan', 'الخطة البحثية'],
        when: (row) => row.study_level === 'postgraduate',
        Content: part(async () => (await import('./research.web.tsx')).ResearchPlan),
      },
      {
        key: 'plan',
        title: ['Study plan', 'الخطة الدراسية'],
        Content: part(async () => (await import('./plan.web.tsx')).PlanOfProgram),
      },
      {
        key: 'pools',
        title: ['Pools and requirements', 'المجموعات والمتطلبات'],
        Content: part(async () => (await import('./pools.web.tsx')).Pools),
      },
      {
        key: 'requirements',
        title: ['Requirements', 'المتطلبات'],
        permission: 'show_requirements',
        Content: filled(requirementsOfProgram),
      },
      {
        key: 'specification',
        title: ['Specification', 'التوصيف'],
        permission: 'show_specification',
        Content: filled(specificationOfProgram),
      },
      {
        key: 'past',
        title: ['Names and successors', 'الأسماء والمآل'],
        Content: part(async () => (await import('../units/unit.web.tsx')).PastOfProgram),
      },
    ],
  },
})
