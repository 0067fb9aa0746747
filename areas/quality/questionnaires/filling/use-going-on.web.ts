import { useChange } from '#kit/web/api/index.ts'
import { isOwnAddress, to, useNavigate, useSearchParams } from '#kit/web/router/index.ts'
import { fillCalls } from './fill.contract.ts'

/**
 * Where a form leads when it is sent or put off. Whoever was led here after signing in comes to the next obligatory questionnaire, and
 * in the end to where he or she was going (`?then=`); everybody else to the own list.
 *
 * @param list the own list
 * @returns `led`: whether the person was led here; `goOn`: goes on, `leave` without looking for the next one
 */
export function useGoingOn(list: string) {
  const navigate = useNavigate()
  const { send } = useChange()
  const [search] = useSearchParams()
  const then = search.get('then')
  const led = isOwnAddress(then)
  const leave = () => void navigate(led ? then : list, { replace: led })
  const goOn = async () => {
    if (!led) return leave()
    const all = await send(fillCalls.own).then(
      ({ data }) => data,
      () => [],
    )
    const next = all.find((one) => one.obligatory && !one.answered && !one.put_off)
    if (!next) return leave()
    void navigate(`${to('/questionnaire_form/:id', { id: next.id })}?then=${encodeURIComponent(then)}`, {
      replace: true,
    })
  }
  return { led, goOn, leave }
}
