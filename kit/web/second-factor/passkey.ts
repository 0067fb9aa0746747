import { ApiError } from '../api/error.ts'
import { loadTexts, translate } from '../i18n/catalogue.ts'
import type { DeviceAnswer, DeviceOptions } from './calls.ts'

/** Whether this browser knows passkeys at all. */
export const knowsPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function'

/** What the browser says went wrong, by the names that the standard gives. */
const SAID = {
  NotAllowedError: 'passkey_given_up',
  AbortError: 'passkey_given_up',
  InvalidStateError: 'passkey_known',
  SecurityError: 'passkey_address',
} as const

/** Lets a device sign what was asked, or make a key. What goes wrong there is told like a refusal. */
async function atDevice(kind: 'sign' | 'make', options: DeviceOptions): Promise<DeviceAnswer> {
  try {
    const device = await import('@simplewebauthn/browser')
    const answer = await (kind === 'sign'
      ? device.startAuthentication({ optionsJSON: options as never })
      : device.startRegistration({ optionsJSON: options as never }))
    return answer as unknown as DeviceAnswer
  } catch (error) {
    console.warn(error)
    await loadTexts('sign-in')
    const { name } = error as { name?: string }
    const key = SAID[name as keyof typeof SAID] ?? 'passkey_failed'
    const text = translate('sign-in', key)
    throw new ApiError(0, { message: key, error: { en: text, ar: text } })
  }
}

/** Asks the server what is to be signed, lets a device sign it, and gives the answer. */
export async function byPasskey<T>(
  ask: () => Promise<{ data: DeviceOptions }>,
  give: (answer: DeviceAnswer) => Promise<T>,
): Promise<T> {
  return give(await atDevice('sign', (await ask()).data))
}
/** The same for a key that is to be made. */
export async function newPasskey<T>(
  offer: () => Promise<{ data: DeviceOptions }>,
  give: (answer: DeviceAnswer) => Promise<T>,
): Promise<T> {
  return give(await atDevice('make', (await offer()).data))
}
