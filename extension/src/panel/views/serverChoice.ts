import { t } from '../../ui/texts.ts';
import { create } from '../../ui/elements.ts';
import type { PanelState, View } from './panelState.ts';

/** Which server's requests are shown. */
export class ServerChoice implements View {
  private readonly select: HTMLSelectElement;
  private readonly chosen: (server: string | null) => void;
  private servers = '';

  constructor(select: HTMLSelectElement, chosen: (server: string | null) => void) {
    [this.select, this.chosen] = [select, chosen];
    select.addEventListener('change', () => chosen(select.value === '' ? null : select.value));
    this.fill([]);
  }

  update({ model }: PanelState): void {
    const servers = [...new Set(model.requests.map(({ server }) => server))].filter((server) => server !== '').sort();
    // an open list would close
    if (servers.join(' ') !== this.servers) this.fill(servers);
  }

  private fill(servers: readonly string[]): void {
    this.servers = servers.join(' ');
    const { value } = this.select;
    const all = create('option', {}, t('panelAllServers'));
    all.value = '';
    this.select.replaceChildren(all, ...servers.map((server) => {
      const option = create('option', {}, server);
      option.value = server;
      return option;
    }));
    this.select.value = servers.includes(value) ? value : '';
    if (this.select.value !== value) this.chosen(null);
  }
}
