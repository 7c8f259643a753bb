/** The part of the package that tests use. It has no types of its own. */
declare module 'smtp-server' {
  import type { AddressInfo } from 'node:net'
  import type { Readable } from 'node:stream'

  interface Session {
    envelope: { rcptTo: { address: string }[] }
  }

  type Done = (error?: (Error & { responseCode?: number }) | null) => void

  export class SMTPServer {
    constructor(options: {
      hideSTARTTLS?: boolean
      authOptional?: boolean
      closeTimeout?: number
      disabledCommands?: string[]
      onMailFrom?(address: { address: string } | false, session: Session, done: Done): void
      onRcptTo?(address: { address: string }, session: Session, done: Done): void
      onData(stream: Readable, session: Session, done: Done): void
    })
    server: { address(): AddressInfo }
    listen(port: number, host: string, done: () => void): void
    close(done: () => void): void
    on(event: 'error', listener: (error: Error) => void): void
  }
}
