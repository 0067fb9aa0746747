import { z } from 'zod'
import { call, date, id, ref } from '#kit/contract/index.ts'

const people = z.array(z.int())
/** An exam on the board. */
const boardExam = z.object({
  id,
  version: z.int(),
  offering_id: id,
  name: z.string(),
  course: z.object({ name: z.string(), name_local: z.string() }),
  faculty_id: z.int().nullable(),
  on_date: z.string().nullable(),
  exam_slot_id: z.int().nullable(),
  is_locked: z.boolean(),
  /** Numbers of this answer only: they say who sits what, and not who it is. */
  students: people,
  halls: z.array(
    z.object({
      location_id: id,
      seats: z.int(),
      building_id: id,
      /** Minutes after the exam for which it is held for who has more time. */
      extra: z.int(),
      /** One student sits there alone. */
      own_room: z.boolean(),
    }),
  ),
  /** Minutes; null: the whole slot. */
  duration: z.int().nullable(),
  /** What its students were granted, for those who plan: whose it is is not told. */
  needs: z.array(z.object({ percent: z.int().nullable(), own_room: z.boolean() })),
})
export const examBoardAnswer = z.object({
  data: z.object({
    exam: ref.extend({ status: z.string(), movable: z.boolean() }),
    /** Faculties whose offerings are examined, by which cards are coloured. */
    faculties: z.array(ref),
    days: z.array(z.string()),
    slots: z.array(z.object({ id, name: z.string(), name_local: z.string(), starts: z.string(), ends: z.string() })),
    halls: z.array(
      z.object({
        id,
        name: z.string(),
        name_local: z.string(),
        code: z.string(),
        /** Without those that are kept for who comes late. */
        seats: z.int(),
        building_id: id,
      }),
    ),
    /** Minutes from one building to another. */
    ways: z.array(z.tuple([id, id, z.int()])),
    /** Students with more time, in percent; for those who plan. */
    longer: z.array(z.tuple([z.int(), z.int()])),
    /** `[day, slot]` (slot 0: the whole day) in which nothing is held. */
    closed: z.array(z.tuple([z.string(), z.int()])),
    /** Halls that are not to be had; without day on every day, without slot the whole day. */
    closed_halls: z.array(
      z.object({ location_id: id, on_date: z.string().nullable(), exam_slot_id: z.int().nullable() }),
    ),
    /** Meetings that students of the exam have in its slots. */
    taught: z.array(z.object({ name: z.string(), on_date: z.string(), exam_slot_id: z.int(), students: people })),
    exams: z.array(boardExam),
    /** Exams of other plans on these days: when, in minutes of the day, for whom, in which halls. */
    others: z.array(
      z.object({
        name: z.string(),
        on_date: z.string(),
        from: z.int(),
        to: z.int(),
        students: people,
        halls: boardExam.shape.halls,
      }),
    ),
  }),
})
export type ExamBoardAnswer = z.output<typeof examBoardAnswer>['data']

export const examBoardCalls = {
  board: call('POST', '/exam-schedules/board', {
    permission: 'access_examSchedule',
    summary: ['All exams of an exam, for placing them', 'كل مواعيد الامتحان لتوزيعها'],
    body: z.strictObject({ exam_id: id }),
    heavy: true,
    response: examBoardAnswer,
    reads: true,
    example: { exam_id: 2 },
  }),
  /** The students who stand against an exam being at a time: those whom the reader may see. */
  clashes: call('POST', '/exam-schedules/clashes', {
    permission: 'access_examSchedule',
    summary: ['Who has another exam at a time', 'من لديه امتحان آخر في موعد'],
    body: z.strictObject({ exam_schedule_id: id, on_date: date, exam_slot_id: id }),
    response: z.object({
      data: z.array(
        z.object({
          course: z.string(),
          count: z.int(),
          same_time: z.boolean(),
          students: z.array(z.string()),
          students_local: z.array(z.string()),
        }),
      ),
    }),
    reads: true,
    example: { exam_schedule_id: 1, on_date: '2026-12-01', exam_slot_id: 1 },
  }),
}
