import { send } from '../api/client.ts'
import { notify } from '../feedback/notify.tsx'
import { loadTexts, translate } from '../i18n/catalogue.ts'
import { nameOf } from '../i18n/format.ts'
import type { Named } from '../i18n/format.ts'
import { askReason } from '../workflow/reason.tsx'
import { factorCalls } from './calls.ts'

/** Takes away the second factor of a person who asks for it: how it was checked who asks is kept. */
export async function removeSecondFactor(
  kind: 'user' | 'student' | 'instructor',
  person: Named & { readonly id: number },
): Promise<void> {
  await loadTexts('sign-in')
  const name = nameOf(person)
  const reason = await askReason({
    title: translate('sign-in', 'remove_factor_title', { name }),
    text: translate('sign-in', 'remove_factor_text'),
    action: translate('kit', 'remove_factor'),
    danger: true,
    go: (reason) => send(factorCalls.removeSecondFactorOf, { params: { kind, id: person.id }, body: { reason } }),
  })
  if (reason !== null) notify.done(translate('sign-in', 'remove_factor_done', { name }))
}
