import type { RoomName } from './state';
import type { DialogName, Host, Room, SectionName } from './views/context';

type Name = RoomName | DialogName | SectionName;

// Views that are loaded when they are first looked at.

type Opener = (host: Host) => Room;

const loaders: Record<Exclude<Name, 'answer'>, () => Promise<{ open: Opener }>> = {
  map: () => import('./rooms/map/room'),
  load: () => import('./rooms/load/room'),
  compare: () => import('./rooms/compare/room'),
  engines: () => import('./rooms/engines/room'),
  find: () => import('./rooms/find/room'),
  commands: () => import('./rooms/commands/room'),
  math: () => import('./rooms/math/room'),
  embed: () => import('./rooms/embed/room'),
  share: () => import('./rooms/share/room'),
  below: () => import('./rooms/below/room'),
};

export class Rooms {
  readonly #opened = new Map<string, Room | 'loading' | 'failed'>();

  constructor(private readonly host: Host) {}

  get(name: Name): Room | 'loading' | 'failed' {
    const known = this.#opened.get(name);
    if (known) return known;
    this.#opened.set(name, 'loading');
    void this.#load(name as keyof typeof loaders);
    return 'loading';
  }

  async #load(name: keyof typeof loaders) {
    try {
      this.#opened.set(name, (await loaders[name]()).open(this.host));
    } catch {
      // Not kept: once the network is back, looking again tries again.
      this.#opened.set(name, 'failed');
      setTimeout(() => this.#opened.delete(name), 3000);
    }
    this.host.redraw();
  }
}
