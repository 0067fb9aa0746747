import { z } from 'zod'
import { call, id } from '#kit/contract/index.ts'
import { linkedOffering, openProgram, programInput, teamInput, teamMember } from '../offering.contract.ts'

const team = z.object({ data: z.array(teamMember) })
const programs = z.object({ data: z.array(openProgram) })
const linked = z.object({ data: z.array(linkedOffering) })

export const teamCalls = {
  syncInstructors: call('PUT', '/offerings/sync-instructors/{id}', {
    permission: 'edit_offering_team',
    summary: ['Set the team of an offering', 'تحديد فريق تدريس المقرر'],
    body: z.strictObject({ instructors: z.array(teamInput).max(100) }),
    response: team,
    example: { instructors: [{ instructor_id: 1, role: 'leader' }] },
  }),
  detachInstructors: call('PUT', '/offerings/detach-instructors/{id}', {
    permission: 'edit_offering_team',
    summary: ['Take instructors out of the team', 'إخراج أعضاء من فريق التدريس'],
    body: z.strictObject({ instructor_ids: z.array(id).min(1).max(100) }),
    response: team,
    example: { instructor_ids: [1] },
  }),
  syncPrograms: call('PUT', '/offerings/sync-programs/{id}', {
    permission: 'edit_offering',
    summary: ['Set the programs to which an offering is open', 'تحديد البرامج المتاح لها المقرر'],
    body: z.strictObject({ programs: z.array(programInput).max(200) }),
    response: programs,
    example: { programs: [{ program_id: 1 }] },
  }),
  detachProgram: call('PUT', '/offerings/detach-program/{id}', {
    permission: 'edit_offering',
    summary: ['Close an offering to a program', 'إلغاء إتاحة المقرر لبرنامج'],
    body: z.strictObject({ program_id: id }),
    response: programs,
    example: { program_id: 1 },
  }),
  addLinked: call('PUT', '/offerings/add-linked-offerings/{id}', {
    permission: 'link_offerings',
    summary: ['Link offerings: their students take the seats of this one', 'ربط مقررات: يشغل طلابها مقاعد هذا المقرر'],
    body: z.strictObject({ offering_ids: z.array(id).min(1).max(100) }),
    response: linked,
    example: { offering_ids: [2] },
  }),
  removeLinked: call('PUT', '/offerings/remove-linked-offering/{id}', {
    permission: 'link_offerings',
    summary: ['Undo a link of offerings', 'إلغاء ربط مقرر'],
    body: z.strictObject({ offering_id: id }),
    response: linked,
    example: { offering_id: 2 },
  }),
}
