import { render } from 'preact';
import { GraphApp } from './app';
import { connectGraph } from './host';
import './graph.css';

const root = document.createElement('div');
root.id = 'preview';
document.body.append(root);
render(<GraphApp host={connectGraph()} />, root);
