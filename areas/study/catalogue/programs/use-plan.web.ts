import { useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { keyOf, useCall, useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { directionOf, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { coursesIn } from '../requisites.rules.ts'
import { programCalls, type StudyPlanAnswer } from './plan.contract.ts'

export type PlanCourse = StudyPlanAnswer['courses'][number]
/** Takes the plan as a change answers with it. */
export type Take = (work: Promise<{ data: unknown }>) => Promise<void>

/** The plan of a program, and a way to change it: each change answers with the plan as it then is. */
export function usePlan(id: number) {
  const client = useQueryClient()
  const input = { params: { id } }
  const query = useCall(programCalls.studyPlan, input)
  const take = async (work: Promise<{ data: unknown }>) => {
    const answer = await work
    client.setQueryData(keyOf(programCalls.studyPlan, input), answer)
  }
  return { ...query, plan: query.data?.data, take }
}

/** The level a semester usually belongs to: what most of its courses say, else two semesters a level. */
export const levelOf = (plan: StudyPlanAnswer, semester: number): number => {
  const votes = new Map<number, number>()
  for (const c of plan.courses) if (c.semester === semester) votes.set(c.level, (votes.get(c.level) ?? 0) + 1)
  const [most] = [...votes].sort((a, b) => b[1] - a[1])
  return most?.[0] ?? Math.min(7, Math.ceil(semester / 2))
}

/** What is asked about a course: where to add one, what it stands as, what it asks for. */
type PlanDialog =
  | { readonly is: 'adding'; readonly semester: number }
  | { readonly is: 'place' | 'prerequisites'; readonly course: PlanCourse }

/** The board of a plan: what is dragged and looked at, and how a course is moved by hand and by keys. */
export function usePlanBoard(plan: StudyPlanAnswer, take: Take) {
  const t = useT('catalogue')
  const lang = useLanguage()
  const editable = plan.abilities.includes('edit_plan')
  const box = useRef<HTMLDivElement>(null)
  const { send } = useChange()
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [looked, setLooked] = useState<number | null>(null)
  const [dialog, setDialog] = useState<PlanDialog | null>(null)
  const last = Math.max(plan.program.semesters, ...plan.courses.map((c) => c.semester))
  const codes = useMemo(
    () =>
      new Map([
        ...plan.courses.map((c) => [c.course_id, c.code] as const),
        ...plan.other_courses.map((c) => [c.id, c.code ?? ''] as const),
      ]),
    [plan],
  )
  const problems = useMemo(() => {
    const out = new Map<number, StudyPlanAnswer['problems']>()
    for (const p of plan.problems) if (p.course_id !== null) out.set(p.course_id, [...(out.get(p.course_id) ?? []), p])
    return out
  }, [plan])
  const lookedAt = plan.courses.find((c) => c.id === looked)
  const needed = new Set(lookedAt ? coursesIn(lookedAt.prerequisites) : [])
  const levelName = (level: number) => {
    const found = plan.levels.find((l) => l.level === level)
    return found ? nameOf(found, lang) : t('level_number', { level })
  }

  const move = async (course: PlanCourse, semester: number, { undo = true } = {}) => {
    if (semester < 1 || semester > plan.program.semesters || semester === course.semester) return
    try {
      await take(
        send(programCalls.moveCourse, {
          params: { id: course.id },
          body: { semester, level: levelOf(plan, semester) },
        }),
      )
      const text = t('moved', { code: nameOf(course), semester })
      const back = () =>
        take(
          send(programCalls.moveCourse, {
            params: { id: course.id },
            body: { semester: course.semester, level: course.level },
          }),
        )
      if (undo) notify.undo(text, back)
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-course="${course.id}"]`)?.focus())
    } catch (problem) {
      notify.error(problem)
    }
  }
  const onKey = (event: KeyboardEvent, course: PlanCourse) => {
    const forward = directionOf(lang) === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const backward = directionOf(lang) === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    if (event.key !== forward && event.key !== backward && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const step = event.key === forward ? 1 : -1
    if (event.altKey && editable && (event.key === forward || event.key === backward))
      return void move(course, course.semester + step)
    const cards = [...(box.current?.querySelectorAll<HTMLElement>('[data-course]') ?? [])]
    const index = cards.findIndex((card) => card.dataset.course === String(course.id))
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      return cards[index + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    for (let s = course.semester + step; s >= 1 && s <= last; s += step) {
      const card = box.current?.querySelector<HTMLElement>(`[data-semester="${s}"] [data-course]`)
      if (card) return card.focus()
    }
  }
  return {
    plan,
    take,
    send,
    editable,
    box,
    dragged,
    setDragged,
    over,
    setOver,
    lookedAt,
    setLooked,
    needed,
    dialog,
    setDialog,
    last,
    codes,
    problems,
    levelName,
    move,
    onKey,
  }
}
export type PlanBoard = ReturnType<typeof usePlanBoard>
